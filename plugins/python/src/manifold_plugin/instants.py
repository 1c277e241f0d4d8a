"""Datetimes of the protocol: ISO 8601 instants, in milliseconds."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone
from typing import Optional

_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)? ?(Z|z|[+-]\d\d(?::?\d\d)?)?",
    re.ASCII,
)


def instant_text(value: datetime) -> str:
    """Returns the ISO instant of a datetime in UTC. A datetime without a zone is read as UTC."""
    zoned = value.replace(tzinfo=timezone.utc) if value.tzinfo is None else value.astimezone(timezone.utc)
    return f"{zoned.year:04d}-{zoned:%m-%dT%H:%M:%S}.{zoned.microsecond // 1000:03d}Z"


def read_instant(value: object) -> Optional[str]:
    """Returns a datetime, date or ISO 8601 string as an ISO instant in UTC. None for everything else.

    A value without a zone is read as UTC. Digits after the millisecond are dropped. Only the years 1 to 9999 are read.
    """
    if isinstance(value, datetime):
        return instant_text(value)
    if isinstance(value, date):
        return f"{value.isoformat()}T00:00:00.000Z"
    match = _ISO.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    try:
        local = datetime(
            int(year),
            int(month),
            int(day),
            int(hour or 0),
            int(minute or 0),
            int(second or 0),
            int((fraction or "0").ljust(3, "0")[:3]) * 1000,
            tzinfo=timezone.utc,
        )
        return instant_text(local - _offset_of(zone))
    except (ValueError, OverflowError):
        return None


def _offset_of(zone: Optional[str]) -> timedelta:
    if zone is None or zone in "Zz":
        return timedelta()
    hours, minutes = int(zone[1:3]), int(zone[3:].replace(":", "") or "0")
    if hours > 23 or minutes > 59:
        raise ValueError("the offset of a zone must be less than a day")
    offset = timedelta(hours=hours, minutes=minutes)
    return -offset if zone[0] == "-" else offset
