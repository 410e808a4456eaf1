"""States whose mean square stays up although almost every path of them goes down.

A layer keeps a ray {x V : x real} and maps x to x' = w s(t) x, with t = Z x**k and w drawn independently
of Z. Let m = E w**2 >= 1, and for every t

    s(t)**2 <= 1,        1 - s(t)**2 <= K exp(-|t|) <= K (delta/e)**delta |t|**(-delta).

With p = 2 - k delta between 0 and 2, rho = E|w|**p < m and C = K (delta/e)**delta E|Z|**(-delta), one layer
does

    E(x'**2 | x) >= m (x**2 - C |x|**p),        E(|x'|**p | x) <= rho |x|**p,

and by induction over the layers, for every depth L,

    E x_L**2 >= m**L (x_0**2 - C |x_0|**p / (1 - rho/m)).

Since p < 2 this is as large as one likes for a large x_0. Typical is a softmax that attends to one row for
large inputs: then the layer is almost linear, and the few draws on which the state is still large carry
the mean square, while the state tends to 0 in probability.
"""
