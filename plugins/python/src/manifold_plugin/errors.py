"""The errors that a plugin may answer."""

from __future__ import annotations

from typing import Dict, Mapping, Tuple, Union

#: The table of errors, as in the protocol: code, HTTP status and message. ``%s`` stands for a detail.
ERRORS: Mapping[str, Tuple[int, str]] = {
    "PLUGIN_MALFORMED": (400, "the request is malformed: %s"),
    "PLUGIN_FORBIDDEN": (403, "the credentials were refused: %s"),
    "PLUGIN_CONFLICT": (409, "the change conflicts with existing data: %s"),
    "PLUGIN_UNKNOWN_DATASET": (422, "there is no dataset %s"),
    "PLUGIN_UNKNOWN_COLUMN": (422, "the dataset %s has no column %s"),
    "PLUGIN_JOIN_AMBIGUOUS": (422, "rows cannot be joined many-to-one: %s"),
    "PLUGIN_INVALID": (422, "the request cannot be carried out: %s"),
    "PLUGIN_UNREADABLE": (422, "the data cannot be read: %s"),
    "PLUGIN_BUSY": (429, "too many requests: %s"),
    "PLUGIN_BUG": (500, "the plugin failed: %s"),
    "PLUGIN_NOT_OFFERED": (501, "the plugin does not offer %s"),
    "PLUGIN_BAD_ANSWER": (502, "the plugin's answer does not follow the protocol: %s"),
    "PLUGIN_SOURCE_FAILED": (502, "the source failed: %s"),
    "PLUGIN_TIMEOUT": (504, "the source did not answer in time: %s"),
}

#: A value that is inserted into the message of an error.
Detail = Union[str, int, float]


class PluginError(Exception):
    """The error that a plugin raises: ``PluginError("PLUGIN_SOURCE_FAILED", "the database is down")``.

    ``details`` are inserted into the message of the code, one for each placeholder. Callers see the message, so it must
    not contain a secret. Every other exception is answered as PLUGIN_BUG, without its message.
    """

    def __init__(self, code: str, *details: Detail) -> None:
        if code not in ERRORS:
            raise ValueError(f"the code of a PluginError must be one of {', '.join(ERRORS)}, not {code!r}")
        status, message = ERRORS[code]
        expected = message.count("%s")
        if len(details) != expected:
            raise ValueError(f"{code} takes {expected} details, not {len(details)}")
        pieces = message.split("%s")
        text = pieces[0] + "".join(f"{detail}{piece}" for detail, piece in zip(details, pieces[1:]))
        super().__init__(text)
        self.code = code
        self.status = status
        self.message = text
        self.details: Tuple[Detail, ...] = details

    def to_wire(self) -> Dict[str, object]:
        """Returns the body of the answer."""
        return {
            "type": {"code": self.status, "description": self.code},
            "message": self.message,
            "code": self.code,
            "details": list(self.details),
        }


def malformed(detail: str) -> PluginError:
    """Returns the error for a request that does not follow the protocol."""
    return PluginError("PLUGIN_MALFORMED", detail)


def not_offered(what: str) -> PluginError:
    """Returns the error for a clause that the plugin does not promise. The host then fetches plain rows instead."""
    return PluginError("PLUGIN_NOT_OFFERED", what)
