def total(order):
    s = 0
    for i in order:
        s += i.price * i.count
    log(s)
    return s
