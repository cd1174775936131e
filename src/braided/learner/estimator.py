"""Estimator: parameters, copies and scores, as scikit-learn expects them of an estimator.

scikit-learn needs methods, not a base class, so it is imported only where one of its own objects is
returned. Learning does without it: it takes a second to import, and more memory than all else.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from braided.errors import InputError

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Estimator", "clone"]

WEIGHTED = ("fit", "partial_fit", "score")
"""The methods that take ``sample_weight``."""

Kind = TypeVar("Kind", bound="Estimator")


class Estimator:
    """A classifier whose parameters are the arguments of its ``__init__``, kept unchanged."""

    _estimator_type = "classifier"
    any_labels: bool = False
    _requests: Mapping[str, bool | str | None] = MappingProxyType({})  # of sample_weight

    @property
    def many_classes(self) -> bool:
        """Whether it can learn more than two labels."""
        return False

    attributes: Mapping[str, str] = MappingProxyType({})
    """The attributes of parameters whose own name is that of a method."""

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return sorted(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters.

        Parameters
        ----------
        deep : bool, default True
            Whether to include the parameters of a learner inside, as ``learner__name``.

        Returns
        -------
        dict
            The value of each parameter by its name.
        """
        found: dict[str, Any] = {}
        for name in self._get_param_names():
            value = getattr(self, self.attributes.get(name, name))
            if deep and isinstance(value, Estimator):
                found |= {f"{name}__{inner}": v for inner, v in value.get_params().items()}
            found[name] = value
        return found

    def set_params(self, **params: Any) -> Self:
        """Change parameters.

        Parameters
        ----------
        **params : Any
            New values by name; those of a learner inside as ``learner__name``.

        Returns
        -------
        Self
            The estimator itself.

        Raises
        ------
        InputError
            If there is no parameter of a name.
        """
        inside: dict[str, dict[str, Any]] = {}
        names = self._get_param_names()
        # A learner inside comes before its parameters: they may be those of another one.
        for given, value in sorted(params.items(), key=lambda item: "__" in item[0]):
            name, nested, inner = given.partition("__")
            if name not in names or (nested and not hasattr(getattr(self, name), "set_params")):
                raise InputError(
                    f"Invalid parameter {given!r} for {self}: choose one of {', '.join(names)}"
                )
            if nested:
                inside.setdefault(name, {})[inner] = value
            else:
                setattr(self, self.attributes.get(name, name), value)
        for name, inner_params in inside.items():
            getattr(self, name).set_params(**inner_params)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        values = self.get_params(deep=False).items()
        changed = (f"{n}={v!r}" for n, v in values if repr(v) != repr(defaults[n].default))
        return f"{type(self).__name__}({', '.join(changed)})"

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Compute the accuracy.

        Parameters
        ----------
        X : list of dict, sparse matrix, array, frame or Rows
            The rows (see ``braided.as_rows``).
        y : array-like
            A label for each row.
        sample_weight : array-like of float, optional
            A weight for each row.

        Returns
        -------
        float
            The share of rows whose label is predicted right.
        """
        right = np.asarray(self.predict(X) == np.asarray(y), np.float64)  # type: ignore[attr-defined]
        return float(np.average(right, weights=sample_weight))

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__.copy()

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)

    # --------------------------------------------------------------- objects of scikit-learn

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type=self._estimator_type,
            target_tags=TargetTags(required=True),
            transformer_tags=None,
            classifier_tags=ClassifierTags(multi_class=self.many_classes),
            regressor_tags=None,
            input_tags=InputTags(sparse=True, allow_nan=True),
        )

    def __sklearn_clone__(self) -> Self:
        copied = clone(self)
        if self._requests:
            copied._requests = self._requests  # noqa: SLF001 - of this class
        return copied

    def get_metadata_routing(self) -> Any:
        """Return which methods request ``sample_weight``, for scikit-learn's metadata routing.

        Returns
        -------
        MetadataRequest
            The requests.
        """
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        for method in WEIGHTED:
            getattr(request, method).add_request(
                param="sample_weight", alias=self._requests.get(method)
            )
        return request

    def set_fit_request(self, *, sample_weight: bool | str | None) -> Self:
        """Set whether scikit-learn's metadata routing passes ``sample_weight`` to ``fit``.

        Parameters
        ----------
        sample_weight : bool, str or None
            Whether it is passed; a text is the name under which it is passed.

        Returns
        -------
        Self
            The estimator itself.
        """
        return self._request("fit", sample_weight)

    def set_partial_fit_request(self, *, sample_weight: bool | str | None) -> Self:
        """Set whether scikit-learn's metadata routing passes ``sample_weight`` to ``partial_fit``.

        Parameters
        ----------
        sample_weight : bool, str or None
            Whether it is passed; a text is the name under which it is passed.

        Returns
        -------
        Self
            The estimator itself.
        """
        return self._request("partial_fit", sample_weight)

    def set_score_request(self, *, sample_weight: bool | str | None) -> Self:
        """Set whether scikit-learn's metadata routing passes ``sample_weight`` to ``score``.

        Parameters
        ----------
        sample_weight : bool, str or None
            Whether it is passed; a text is the name under which it is passed.

        Returns
        -------
        Self
            The estimator itself.
        """
        return self._request("score", sample_weight)

    def _request(self, method: str, alias: bool | str | None) -> Self:
        self._requests = {**self._requests, method: alias}
        return self


def clone(estimator: Kind) -> Kind:
    """Make a new estimator with the same parameters, which has learned nothing."""
    given = estimator.get_params(deep=False).items()
    parameters = {
        name: clone(value) if isinstance(value, Estimator) else copy.deepcopy(value)
        for name, value in given
    }
    copied = type(estimator)(**parameters)
    if copied.any_labels != estimator.any_labels:  # what is allowed goes with the parameters
        copied.any_labels = estimator.any_labels
    return copied
