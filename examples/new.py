"""Orders of a small shop."""

import datetime

DAYS_TO_PAY = 14


class Order:
    def __init__(self, number, placed, items):
        self.number = number
        self.placed = placed
        self.paid = None
        self.items = items

    def total(self):
        return sum(item.price * item.count for item in self.items)

    def is_late(order, today):
        """Whether an order should have been paid by now."""
        if order.paid is not None:
            return False
        due = order.placed + datetime.timedelta(days=DAYS_TO_PAY)
        return due <= today


def report(orders, late):
    for order in late:
        print(order.number, order.total())
    print(f"{len(late)} of {len(orders)} orders are late")
