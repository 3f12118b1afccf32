"""JSON reports to dataclasses."""

from __future__ import annotations

import base64
import dataclasses
import functools
import types
import typing
from typing import Any

_BYTES = {"base64"}


@functools.cache
def _fields(cls: type) -> list[tuple[str, str, Any]]:
    hints = typing.get_type_hints(cls)
    return [
        (field.name, field.metadata.get("json", field.name), hints[field.name])
        for field in dataclasses.fields(cls)
        if field.init and not field.name.startswith("_")
    ]


def decode(kind: Any, value: Any) -> Any:
    """A value of JSON as the type that a field has; what a dataclass does not know is
    left out of it, and stays in the JSON."""
    if dataclasses.is_dataclass(kind) and isinstance(value, dict):
        given = {
            name: decode(hint, value[key]) for name, key, hint in _fields(kind) if key in value
        }
        return kind(**given)
    origin = typing.get_origin(kind)
    if origin is list:
        (inner,) = typing.get_args(kind)
        return [decode(inner, item) for item in value]
    if origin is tuple:
        inner = typing.get_args(kind)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(decode(inner[0], item) for item in value)
        return tuple(decode(one, item) for one, item in zip(inner, value))
    if origin in (typing.Union, types.UnionType) and value is not None:
        # Text is `str | bytes`, an optional field `X | None`.
        wanted = [one for one in typing.get_args(kind) if one is not type(None)]
        if isinstance(value, dict) and value.keys() == _BYTES:
            return base64.b64decode(value["base64"])
        return decode(wanted[0], value) if len(wanted) == 1 else value
    return value
