"""SOL, the framework of sparse online learning, and its instances FSOL and SSOL.

Wang, Wu, Zhao, Wu, Miao and Hoi, "High-dimensional Data Stream Classification via Sparse Online
Learning", ICDM 2014. Algorithm 1, for a row x with label y in {-1, +1}::

    u      = grad Phi*(theta)                            Phi* is the conjugate of Phi
    w      = sign(u) max(|u| - lambda_t, 0)
    loss   = max(0, 1 - y w.x)
    theta  = theta + eta y x          if the loss is positive

A learner of the framework is a choice of Phi and of the thresholds lambda_t::

    FSOL             Phi(w) = |w|^2 / 2                  u = theta
    SSOL, full       Phi(w) = w'A w / 2                  u = A^-1 theta,  A = I + sum of x x'/r
    SSOL, diagonal   the same with A^-1 = diag(a)        u = a theta
                     a_j = a_j - a_j^2 x_j^2 / (r + sum of a_i x_i^2)     before predicting

    constant         lambda_t = eta lambda
    growing          lambda_t = eta lambda (t - 1)       with it FSOL is Xiao's RDA

Errata: the paper never defines lambda_t; its regret bound follows for the constant one. The
printed A_t lacks its r. A feature that was never seen can not take part in a prediction: the
row is scored without it, and learned with it.

With ``clock="feature"`` a feature owes only for the rounds since its own first under the growing
schedule, so that features born late get a fair start.

The weights are never stored: theta (and a) change only for the features of a row, and the
threshold is taken when a weight is read. So a round costs O(nnz).
"""

from braided.learners.sol.fsol import FSOL
from braided.learners.sol.ssol import SSOL

__all__ = ["FSOL", "SSOL"]
