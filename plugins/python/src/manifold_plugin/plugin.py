"""The definition of a plugin."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from .answers import Answer, Row, columnar, types_of
from .capabilities import Capabilities, check_capabilities, complete
from .datasets import Dataset
from .errors import PluginError, malformed, not_offered
from .parse_query import parse_query
from .promises import check_promised, exact_filters
from .query import Query
from .tables import first_repeated


@dataclass(frozen=True)
class Credentials:
    """The credentials of an account. They must never be logged."""

    #: Server, address or path of the source.
    host: Optional[str] = None
    #: User name or key.
    key: Optional[str] = None
    #: Password or token.
    token: Optional[str] = None
    #: Further properties of the account. The ids are in lower case.
    properties: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return "Credentials(...)"


@dataclass(frozen=True)
class User:
    """The user on whose behalf a call is made."""

    id: str
    name: str
    #: Empty if the address is not known.
    email: str = ""
    #: Properties of the user that the organization has set.
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Call:
    """What every call of a plugin knows about its caller."""

    credentials: Credentials = Credentials()
    #: None if the host does not know the user.
    user: Optional[User] = None


@dataclass(frozen=True)
class Plugin:
    """A data source: a list of datasets, and one of ``rows`` and ``query``.

    ``rows(call, dataset)`` returns all rows of a dataset, with cells in the order of its columns; the host filters,
    groups and sorts them. ``query(call, dataset, query)`` answers a query with one cell per column of the query, and
    needs ``capabilities``, which state the clauses that it carries out. Both may be generators. They are called in
    several threads at the same time, and must not keep anything from one call that another caller could see.

    Raise only ``PluginError``: callers see every other exception as PLUGIN_BUG, without its message.
    """

    #: The datasets, or a function that returns those that the credentials of a call may see.
    datasets: Union[Sequence[Dataset], Callable[[Call], Sequence[Dataset]]]
    #: Returns all rows of a dataset.
    rows: Optional[Callable[[Call, Dataset], Iterable[Row]]] = None
    #: Answers a query: rows, or an ``Answer`` that states which filters were applied exactly.
    query: Optional[Callable[[Call, Dataset, Query], Union[Answer, Iterable[Row]]]] = None
    #: The clauses that ``query`` carries out exactly as the protocol defines them.
    capabilities: Capabilities = field(default_factory=lambda: Capabilities())
    #: Checks the credentials: raises PLUGIN_FORBIDDEN if they are wrong, and returns the address of a page if a person
    #: must first give consent (OAuth2). None: all credentials are accepted.
    authorize: Optional[Callable[[Call], Optional[str]]] = None
    #: Exchanges an OAuth2 code for the provider's credentials. None: the plugin does not support OAuth2.
    exchange: Optional[Callable[[Call, str], Mapping[str, object]]] = None
    #: Returns if the source responds, and raises otherwise. None: the plugin counts as healthy.
    health: Optional[Callable[[], None]] = None

    def __post_init__(self) -> None:
        if (self.rows is None) == (self.query is None):
            raise ValueError("a plugin must have one of the functions rows and query")
        if self.rows is not None and self.capabilities:
            raise ValueError(
                "a plugin with rows must not have capabilities, because it always returns all rows; "
                "define query instead of rows"
            )
        check_capabilities(self.capabilities)
        if not callable(self.datasets):
            _check_datasets(self.datasets)

    def list_datasets(self, call: Call) -> Sequence[Dataset]:
        """Returns the datasets that the credentials of a call may see."""
        if not callable(self.datasets):
            return self.datasets
        datasets = self.datasets(call)
        _check_datasets(datasets)
        return datasets

    def find_dataset(self, call: Call, dataset_id: str) -> Dataset:
        """Returns a dataset that the credentials of a call may see, or raises PLUGIN_UNKNOWN_DATASET."""
        for dataset in self.list_datasets(call):
            if dataset.id == dataset_id:
                return dataset
        raise PluginError("PLUGIN_UNKNOWN_DATASET", json.dumps(dataset_id[:200]))

    def capabilities_to_wire(self) -> Mapping[str, object]:
        """Returns the answer to GET /capabilities."""
        return complete(self.capabilities)

    def datasets_to_wire(self, call: Call) -> List[Dict[str, object]]:
        """Returns the answer to POST /datasets."""
        return [dataset.to_wire() for dataset in self.list_datasets(call)]

    def answer(self, call: Call, body: Mapping[str, object]) -> Dict[str, object]:
        """Returns the answer to POST /query, whose body is ``body``."""
        for clause in ("joins", "derived"):
            value = body.get(clause, [])
            if not isinstance(value, list):
                raise malformed(f"/{clause} must be an array")
            if value:
                raise not_offered("joins" if clause == "joins" else "derived columns")
        query = parse_query(body)
        dataset = self.find_dataset(call, query.dataset_id)
        if self.rows is not None:
            types = [column.type for column in dataset.columns]
            names = [column.id for column in dataset.columns]
            return columnar(types, names, self.rows(call, dataset))
        assert self.query is not None
        check_promised(query, dataset, self.capabilities)
        given = self.query(call, dataset, query)
        answer = given if isinstance(given, Answer) else Answer(given)
        names = [column.column_id for column in query.columns]
        # Statements in SQL have at least one column, so the cells of a query without columns are left out.
        rows: Iterable[Row] = answer.rows if query.columns else (() for _ in answer.rows)
        wire = columnar(types_of(query, dataset), names, rows)
        applied = answer.applied
        if applied is None:
            applied = exact_filters(query, dataset, self.capabilities)
        return {"rowCount": wire["rowCount"], "applied_filters": list(applied), "columns": wire["columns"]}


def _check_datasets(datasets: Sequence[Dataset]) -> None:
    twice = first_repeated(dataset.id for dataset in datasets)
    if twice is not None:
        raise ValueError(f"two datasets have the id {twice!r}; ids must be unique")
