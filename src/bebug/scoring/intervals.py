"""How sure we may be of a rate: Wilson's interval."""

from __future__ import annotations

from math import sqrt

from bebug.records import Score

Z95 = 1.959963984540054  # the 97.5 % point of the standard normal distribution


def score(hits: int, n: int, *, z: float = Z95) -> Score:
    """*hits* of *n* as a rate with Wilson's 95 % interval; nothing measured where *n* is 0.

    E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927);
    method 3 of R. G. Newcombe, Statistics in Medicine 17 (1998). It takes the cases as independent.
    """
    if not 0 <= hits <= n:
        raise ValueError(f"{hits} of {n} is no rate")
    if n == 0:
        return Score(hits=0, n=0, value=None, low=None, high=None)
    rate, spread = hits / n, z * z / n
    centre = (rate + spread / 2) / (1 + spread)
    half = z * sqrt(rate * (1 - rate) / n + spread / (4 * n)) / (1 + spread)
    low = 0.0 if hits == 0 else max(0.0, centre - half)
    high = 1.0 if hits == n else min(1.0, centre + half)
    return Score(hits=hits, n=n, value=rate, low=low, high=high)
