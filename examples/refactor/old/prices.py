"""Prices and everything that changes them."""

CURRENCY = "EUR"


def net(gross, rate):
    return gross * 100 // (100 + rate)


def shown(amount):
    return f"{amount / 100:.2f} {CURRENCY}"
