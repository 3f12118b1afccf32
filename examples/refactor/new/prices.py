"""Prices and everything that changes them."""

CURRENCY = "EUR"


def net(gross, rate):
    return gross * 100 // (100 + rate)


def total(order, vouchers):
    """What the customer pays, vouchers and shipping included."""
    amount = sum(item.price * item.count for item in order.items)
    for voucher in vouchers:
        if voucher.expires <= order.placed_on:
            continue
        if voucher.kind == "percent":
            amount -= amount * voucher.value // 100
        else:
            amount -= voucher.value
    if amount < order.free_shipping_from:
        amount += order.shipping_cost
    return amount


def shown(amount):
    return f"{amount / 100:.2f} {CURRENCY}"
