"""The regret bound of the framework of sparse online learning, inequality (1), for FSOL and SSOL.

Wang et al., ICDM 2014. With lambda_t = eta lambda and hinge loss, whose gradient is -y x, it says
for every u, with A_t = I for FSOL::

    sum l_t(w_t) - sum l_t(u) <= u'A_T u / (2 eta) + sum over losses of
                                 (eta / 2) x'A_t^-1 x + eta lambda |x|_1

For FSOL and the best eta it is the printed |u| sqrt((X^2 + 2 lambda X) T). For SSOL the paper only
says that it is of order log(T); the sum over x'A_t^-1 x is what that follows from.

The mistake bounds of OFS (Wang et al., TKDE 2014, Theorems 1 and 2) are not tested: they hold up to
a constant xi_2 for what truncation loses, which the paper leaves to proofs that are not at hand.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from braided import FSOL, SSOL

eighths = st.integers(-16, 16).map(lambda k: k / 8)


@st.composite
def rounds(draw):
    """Rows of up to four features, signs, and a rival u."""
    n, d = draw(st.integers(1, 30)), draw(st.integers(1, 4))
    X = draw(hnp.arrays(np.float64, (n, d), elements=eighths))
    y = draw(hnp.arrays(np.float64, n, elements=st.sampled_from([-1.0, 1.0])))
    return X, y, draw(hnp.arrays(np.float64, d, elements=eighths))


steps = st.sampled_from([0.01, 0.1, 1.0, 4.0])
penalties = st.sampled_from([0.0, 0.1, 1.0])
spreads = st.sampled_from([0.1, 1.0, 8.0])


def regret(model, X, y, u):
    """The losses less those of u, and which rounds had one."""
    # All features from the first row on; both labels are known, so that 1 is the larger.
    model.partial_fit(np.zeros((2, X.shape[1])), [-1.0, 1.0])
    losses = np.maximum(0.0, 1.0 - y * model.prequential(X, y))
    return losses.sum() - np.maximum(0.0, 1.0 - y * (X @ u)).sum(), losses > 0.0


def inverses(X, r, diagonal):
    """A_t^-1 after each row."""
    a = np.eye(X.shape[1])
    for x in X:
        if diagonal:
            spread = np.diag(a) @ x**2
            a = np.diag(np.diag(a) - np.diag(a) ** 2 * x**2 / (r + spread))
        else:
            a = np.linalg.inv(np.linalg.inv(a) + np.outer(x, x) / r)
        yield a


@given(rounds(), steps, penalties)
def test_fsol_stays_within_the_general_bound(found, step, penalty):
    X, y, u = found
    difference, lost = regret(FSOL(step=step, penalty=penalty), X, y, u)
    paid = step / 2 * (X[lost] ** 2).sum() + step * penalty * np.abs(X[lost]).sum()
    assert difference <= u @ u / (2 * step) + paid + 1e-9


@given(rounds(), steps, penalties, spreads, st.sampled_from(["diagonal", "full"]))
def test_ssol_stays_within_the_general_bound(found, step, penalty, r, covariance):
    X, y, u = found
    model = SSOL(covariance=covariance, step=step, penalty=penalty, r=r)
    difference, lost = regret(model, X, y, u)
    every = list(inverses(X, r, covariance == "diagonal"))
    curved = sum(x @ a @ x for x, a, loss in zip(X, every, lost, strict=True) if loss)
    paid = step / 2 * curved + step * penalty * np.abs(X[lost]).sum()
    last = u @ np.linalg.inv(every[-1]) @ u / (2 * step)
    assert difference <= last + paid + 1e-6 * (1 + last)
