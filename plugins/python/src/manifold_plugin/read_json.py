"""Reads the JSON of a request, which may come from anyone."""

from __future__ import annotations

import json
import re
from typing import Any, Dict

from .errors import malformed
from .tables import first_repeated

#: Nesting of arrays and objects. Groups of filters take two levels each.
DEPTH_LIMIT = 400

_BRACKETS = b"[]{}"
_OTHER_BYTES = bytes(set(range(256)) - set(_BRACKETS))
_LONGEST_NUMBER = 400
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")


def read_json(text: bytes) -> Dict[str, Any]:
    """Reads a body as a JSON object. An empty body is an empty object.

    Raises PluginError PLUGIN_MALFORMED for anything else: other JSON, NaN and infinite numbers, repeated members,
    strings that are not Unicode, and values nested too deeply.
    """
    if not text.strip():
        return {}
    _check_depth(text)
    try:
        value = json.loads(
            text.decode("utf-8"),
            parse_constant=_refuse_constant,
            parse_int=_whole_number,
            parse_float=_number,
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise _too_deep() from None
    except ValueError:
        raise malformed("the body must be JSON in UTF-8") from None
    if not isinstance(value, dict):
        raise malformed("the body must be a JSON object")
    _check_strings(text, value)
    return value


def _check_depth(text: bytes) -> None:
    """Refuses deep values before they are parsed, because the parser is recursive. O(length), whatever the text."""
    # Without escaped quotes, every second part between quotes is outside of strings.
    parts = text.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
    depth = 0
    for sign in b"".join(parts[::2]).translate(None, _OTHER_BYTES):
        if sign in b"[{":
            depth += 1
            if depth > DEPTH_LIMIT:
                raise _too_deep()
        else:
            depth -= 1


def _too_deep() -> Exception:
    return malformed(f"the body must not be nested deeper than {DEPTH_LIMIT} levels")


def _refuse_constant(name: str) -> float:
    raise malformed(f"{name} is not a number in JSON")


def _whole_number(text: str) -> int:
    # Python takes quadratic time to read long integers.
    if len(text) > _LONGEST_NUMBER or abs(int(text)) > 2**1023:
        raise malformed("numbers must be in the range of doubles")
    return int(text)


def _number(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise malformed("numbers must be in the range of doubles")
    return number


def _object(pairs: "list[tuple[str, Any]]") -> Dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        twice = first_repeated(name for name, _ in pairs) or ""
        raise malformed(f"the member {json.dumps(twice[:100])} occurs twice")
    return members


def _check_strings(text: bytes, value: Any) -> None:
    """Refuses strings with half a surrogate pair, which no source can store. Only escapes can write them."""
    if b"\\u" not in text:
        return
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            if _LONE_SURROGATE.search(each):
                raise malformed("strings must be valid Unicode")
        elif isinstance(each, dict):
            pending.extend(each.keys())
            pending.extend(each.values())
        elif isinstance(each, list):
            pending.extend(each)
