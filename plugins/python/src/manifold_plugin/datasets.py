"""Datasets and their columns."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Dict, Literal, Mapping, Optional, Sequence, Union

from .errors import PluginError
from .tables import DATA_TYPES, DataType, first_repeated

#: A name or description in English, or in several languages by language code such as ``en``.
Text = Union[str, Mapping[str, str]]

#: How the values of a column are shown. Values of the subtype ``date`` are never shifted by a time zone.
Subtype = Literal["date", "datetime", "currency", "duration"]

_SUBTYPES: Mapping[str, Sequence[str]] = {
    "numeric": ("currency", "duration"),
    "datetime": ("date", "datetime"),
    "hierarchy": (),
}

_NARROWING = ("filters", "grouping", "order", "aggregations", "reason")


def _multilingual(text: Text) -> Dict[str, str]:
    return {"en": text} if isinstance(text, str) else dict(text)


@dataclass(frozen=True)
class Column:
    """A column of a dataset."""

    #: Id of the column, unique in its dataset.
    id: str
    #: Logical type of the values.
    type: DataType
    #: Name of the column, as shown to users. None: the id.
    name: Optional[Text] = None
    #: How values are shown. None: as usual for the type.
    subtype: Optional[Subtype] = None
    #: The capabilities that do not apply to the column, as the protocol writes them:
    #: ``{"filters": {"=": "superset"}, "grouping": False}``. None: all capabilities apply.
    narrowed: Optional[Mapping[str, object]] = None
    #: Sample values, shown to users who select datasets.
    samples: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or self.id == "":
            raise ValueError("the id of a column must be a non-empty string")
        if self.type not in DATA_TYPES:
            raise ValueError(
                f"the type of the column {self.id!r} must be one of {', '.join(DATA_TYPES)}, not {self.type!r}"
            )
        allowed = _SUBTYPES[self.type]
        if self.subtype is not None and self.subtype not in allowed:
            raise ValueError(
                f"the subtype of the column {self.id!r} must be {' or '.join(allowed) or 'absent'}"
                f" for the type {self.type}, not {self.subtype!r}"
            )
        for name in self.narrowed or {}:
            if name not in _NARROWING:
                raise ValueError(
                    f"narrowed of the column {self.id!r} has the unknown name {name!r};"
                    f" known are {', '.join(_NARROWING)}"
                )

    def to_wire(self) -> Dict[str, object]:
        """Returns the column as an entry of the answer to /datasets."""
        wire: Dict[str, object] = {
            "id": self.id,
            "name": _multilingual(self.id if self.name is None else self.name),
            "type": self.type,
        }
        if self.subtype is not None:
            wire["subtype"] = self.subtype
        if self.narrowed is not None:
            wire["narrowed"] = self.narrowed
        if self.samples:
            wire["samples"] = list(self.samples)
        return wire


@dataclass(frozen=True)
class Dataset:
    """A table that a plugin offers for queries."""

    #: Id of the dataset, unique in the plugin.
    id: str
    #: The columns, at least one. Plugins with ``rows`` return their cells in this order.
    columns: Sequence[Column]
    #: Name of the dataset, as shown to users. None: the id.
    name: Optional[Text] = None
    #: Description of the dataset, as shown to users.
    description: Optional[Text] = None

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or self.id == "":
            raise ValueError("the id of a dataset must be a non-empty string")
        if not self.columns:
            raise ValueError(f"the dataset {self.id!r} must have at least one column")
        twice = first_repeated(column.id for column in self.columns)
        if twice is not None:
            raise ValueError(f"two columns of the dataset {self.id!r} have the id {twice!r}; ids must be unique")

    def column(self, column_id: str) -> Column:
        """Returns the column with this id.

        Raises PluginError PLUGIN_UNKNOWN_COLUMN if the dataset has no such column.
        """
        for column in self.columns:
            if column.id == column_id:
                return column
        raise PluginError("PLUGIN_UNKNOWN_COLUMN", self.id, json.dumps(column_id[:200]))

    def to_wire(self) -> Dict[str, object]:
        """Returns the dataset as an entry of the answer to /datasets."""
        wire: Dict[str, object] = {
            "id": self.id,
            "name": _multilingual(self.id if self.name is None else self.name),
            "columns": [column.to_wire() for column in self.columns],
        }
        if self.description is not None:
            wire["description"] = _multilingual(self.description)
        return wire
