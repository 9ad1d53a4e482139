"""What is in a cart, and what it costs."""


def total(prices, discount=0):
    """The sum of the prices, less a discount in percent."""
    return sum(prices) * discount / 100


def cheapest(prices):
    """The lowest price, or None when there is none."""
    return min(prices) if prices else None
