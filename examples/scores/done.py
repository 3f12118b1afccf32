import os
def total(order):
    s = 0
    for i in order.items:
        s += i.price * i.number
    log(s)
    return s
