"""Orders, from the basket to the shelf."""

from shop import mail, stock

HOLD_FOR_DAYS = 7


def place(store, basket, customer):
    order = store.new_order(customer)
    for item in basket:
        stock.reserve(item.sku, item.count, days=HOLD_FOR_DAYS)
        order.add(item)
    mail.send(customer, "order received", order)
    return order


def cancel(store, order):
    for item in order.items:
        stock.put_back(item.sku, item.count)
    store.mark_cancelled(order)
    mail.send(order.customer, "order cancelled", order)
