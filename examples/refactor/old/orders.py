"""Orders, from the basket to the shelf."""

from shop import mail, stock

HOLD_FOR_DAYS = 14


def place(store, basket, customer):
    order = store.new_order(customer)
    for item in basket:
        stock.reserve(item.sku, item.count, days=HOLD_FOR_DAYS)
        order.add(item)
    mail.send(customer, "order received", order)
    return order


def total(order, vouchers):
    """What the customer pays, vouchers and shipping included."""
    amount = sum(item.price * item.count for item in order.items)
    for voucher in vouchers:
        if voucher.expires < order.placed_on:
            continue
        if voucher.kind == "percent":
            amount -= amount * voucher.value // 100
        else:
            amount -= voucher.value
    if amount < order.free_shipping_from:
        amount += order.shipping_cost
    return amount


def cancel(store, order):
    for item in order.items:
        stock.put_back(item.sku, item.count)
    store.mark_cancelled(order)
    mail.send(order.customer, "order cancelled", order)
