"""The language spoken through the wall: length-framed messages of plain values.

A message is one value: None, bool, int, float, complex, str, bytes, list, tuple, dict, a NumPy scalar or a numeric
array. Arrays travel as raw bytes with a dtype from a short list, so that nothing that arrives can run. Every count,
length and depth is checked against a cap before anything is built from it. An object of any other type is sent as
its type's name and arrives as an ``Opaque``.

Deliberately not pickle, marshal or dill: they run what they read.
"""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.lib.array_utils import byte_bounds

DTYPES: Final = ("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16")
MAX_DEPTH: Final = 32
MAX_ITEMS: Final = 200_000
MAX_AXES: Final = 16
MAX_EMPTY_AXIS: Final = 2**16
MAX_INT_BYTES: Final = 4096
MAX_KEYS: Final = 10_000
"""Of one dictionary: keys can be chosen to collide, and then each costs as much as all before it."""
MAX_KEY_INT_BYTES: Final = 8
"""Larger whole numbers all over the same few hashes are easily found."""

CUT_SHORT: Final = "the message ends before its values do"
LEFT_OVER: Final = "the message goes on after its value"
UNKNOWN_TAG: Final = "the message holds a value of unknown kind {tag!r}"
TOO_DEEP: Final = f"values are nested deeper than {MAX_DEPTH}"
TOO_MANY: Final = f"the message holds more than {MAX_ITEMS} values"
BAD_ARRAY: Final = "the message holds an array whose shape and bytes do not agree"
BAD_TEXT: Final = "the message holds text that is not UTF-8"
BAD_KEY: Final = "the message holds a dictionary key that cannot be one"
TOO_MANY_KEYS: Final = f"the message holds a dictionary of more than {MAX_KEYS} keys"
TOO_LARGE: Final = "a value of {size} bytes is over the limit of {limit} bytes"
FOREIGN_ORDER: Final = "an array of {dtype}, whose bytes are in another order than this machine's, keeps no layout"
NOT_A_VIEW: Final = "the message holds an array with a layout of its own where none is allowed"


LENGTH: Final = struct.Struct("<I")
"""What goes before a message: how many bytes it takes."""
_FLOAT, _COMPLEX = struct.Struct("<d"), struct.Struct("<dd")
_SHAPES = [struct.Struct(f"<{axes}Q") for axes in range(MAX_AXES + 1)]
_VIEWS = [struct.Struct(f"<{axes}Q{axes}qQQ?") for axes in range(MAX_AXES + 1)]
_DTYPES = [np.dtype(name) for name in DTYPES]
_put_length = LENGTH.pack


class WireError(Exception):
    """What arrived, or what should be sent, is no message of this language."""


class Opaque:
    """Stands for an object that cannot be sent: it has a type's name and nothing else."""

    __slots__ = ("type_name",)

    def __init__(self, type_name: str) -> None:
        self.type_name = type_name

    def __repr__(self) -> str:
        return f"<an object of type {self.type_name}>"


def encode(value: Any, *, limit: int, layouts: bool = False, framed: bool = False) -> bytes:
    """Write ``value`` as one message.

    Args:
        value: what to send.
        limit: the largest message, in bytes.
        layouts: keep the strides, the writeable flag and the identity of arrays. Without it arrays are sent as
            C-contiguous copies.
        framed: put the message's length before it, as it goes through the wall.

    Raises:
        WireError: the message would be over ``limit``, too deep or of too many values.
    """
    writer = _Writer(limit, layouts)
    writer.put(value, 0)
    return b"".join([LENGTH.pack(limit - writer.room), *writer.parts] if framed else writer.parts)


def decode(message: bytes | bytearray | memoryview, *, layouts: bool = False) -> Any:
    """Read one message, made of fresh and plain objects only.

    Args:
        message: the bytes of one message, whose size the caller has capped.
        layouts: accept arrays with strides of their own. Never for what comes out of the sandbox: a stride of
            zero makes a huge array of a few bytes.

    Raises:
        WireError: the bytes are no message.
    """
    reader = _Reader(message if type(message) is bytearray else bytearray(message), layouts)
    value = reader.value(0)
    if reader.at != len(reader.data):
        raise WireError(LEFT_OVER)
    return value


def arrays_in(value: Any) -> list[np.ndarray[Any, Any]]:
    """The arrays in nested lists, tuples and dictionaries, each once, in the order in which they are sent."""
    found: dict[int, np.ndarray[Any, Any]] = {}

    def look(value: Any) -> None:
        if type(value) is np.ndarray:
            found.setdefault(id(value), value)
        elif isinstance(value, list | tuple):
            for item in value:
                look(item)
        elif isinstance(value, dict):
            for item in value.values():
                look(item)

    look(value)
    return list(found.values())


class _Writer:
    def __init__(self, limit: int, layouts: bool) -> None:
        self.parts: list[bytes] = []
        self.room = limit
        self.limit = limit
        self.layouts = layouts
        self.items = 0
        self.seen: dict[int, tuple[int, Any]] = {}  # array identity -> number, and the array to keep it alive

    def raw(self, data: bytes) -> None:
        self.room -= len(data)
        if self.room < 0:
            raise WireError(TOO_LARGE.format(size=self.limit - self.room, limit=self.limit))
        self.parts.append(data)

    def sized(self, tag: bytes, data: bytes) -> None:
        self.raw(tag + _put_length(len(data)))
        self.raw(data)

    def put(self, value: Any, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise WireError(TOO_DEEP)
        self.items += 1
        if self.items > MAX_ITEMS:
            raise WireError(TOO_MANY)
        write = _WRITERS.get(type(value))
        if write is not None:
            write(self, value, depth)
        elif isinstance(value, np.generic) and value.dtype.newbyteorder("<").str in DTYPES:
            self.raw(b"g" + _dtype_code(value.dtype))
            self.raw(value.astype(value.dtype.newbyteorder("<")).tobytes())
        else:
            self.sized(b"o", type(value).__name__[:200].encode("utf-8", "replace"))

    def sequence(self, tag: bytes, value: list[Any] | tuple[Any, ...], depth: int) -> None:
        self.raw(tag + _put_length(len(value)))
        for item in value:
            self.put(item, depth + 1)

    def dictionary(self, value: dict[Any, Any], depth: int) -> None:
        if len(value) > MAX_KEYS:
            raise WireError(TOO_MANY_KEYS)
        self.raw(b"d" + _put_length(len(value)))
        for key, item in value.items():
            if not _may_be_key(key):
                raise WireError(BAD_KEY)
            self.put(key, depth + 1)
            self.put(item, depth + 1)

    def integer(self, value: int) -> None:
        size = value.bit_length() // 8 + 1
        if size > MAX_INT_BYTES:
            raise WireError(TOO_LARGE.format(size=size, limit=MAX_INT_BYTES))
        self.raw(b"i" + _put_length(size) + value.to_bytes(size, "little", signed=True))

    def array(self, value: np.ndarray[Any, Any]) -> None:
        code, axes = _dtype_code(value.dtype), value.ndim
        if not code or axes > MAX_AXES:
            self.sized(b"o", f"ndarray of {value.dtype}"[:200].encode())
            return
        if not self.layouts:
            if value.nbytes > self.room:  # before a broadcast view is written out in full
                raise WireError(TOO_LARGE.format(size=value.nbytes, limit=self.limit))
            self.raw(b"a" + code + bytes([axes]) + _SHAPES[axes].pack(*value.shape))
            self.raw(value.astype(value.dtype.newbyteorder("<"), copy=False).tobytes())
            return
        if not value.dtype.isnative:
            raise WireError(FOREIGN_ORDER.format(dtype=value.dtype))
        if id(value) in self.seen:
            self.raw(b"r" + _put_length(self.seen[id(value)][0]))
            return
        self.seen[id(value)] = (len(self.seen), value)
        memory, offset = span(value)
        layout = (*value.shape, *value.strides, offset, len(memory), value.flags.writeable)
        self.raw(b"v" + code + bytes([axes]) + _VIEWS[axes].pack(*layout))
        self.raw(memory)


def span(array: np.ndarray[Any, Any]) -> tuple[bytes, int]:
    """The bytes from an array's lowest to its highest element, and where its first element lies in them."""
    if array.flags.c_contiguous:
        return array.tobytes(), 0
    low, high = byte_bounds(array)
    return ctypes.string_at(low, high - low), array.__array_interface__["data"][0] - low


_WRITERS: dict[type, Callable[[_Writer, Any, int], None]] = {
    type(None): lambda w, _v, _d: w.raw(b"N"),
    bool: lambda w, v, _d: w.raw(b"T" if v else b"F"),
    int: lambda w, v, _d: w.integer(v),
    float: lambda w, v, _d: w.raw(b"f" + _FLOAT.pack(v)),
    complex: lambda w, v, _d: w.raw(b"c" + _COMPLEX.pack(v.real, v.imag)),
    str: lambda w, v, _d: w.sized(b"s", v.encode("utf-8", "backslashreplace")),
    bytes: lambda w, v, _d: w.sized(b"b", v),
    list: lambda w, v, d: w.sequence(b"l", v, d),
    tuple: lambda w, v, d: w.sequence(b"t", v, d),
    dict: lambda w, v, d: w.dictionary(v, d),
    np.ndarray: lambda w, v, _d: w.array(v),
}


def _may_be_key(key: Any) -> bool:
    if type(key) is int:
        return key.bit_length() < 8 * MAX_KEY_INT_BYTES
    return type(key) in (str, float, bool, bytes, type(None))


_CODES = {dtype: bytes([code]) for code, dtype in enumerate(_DTYPES)}


def _dtype_code(dtype: np.dtype[Any]) -> bytes:
    """The byte that stands for a dtype, whatever its byte order; empty for one that cannot be sent."""
    return _CODES.get(dtype) or _CODES.get(dtype.newbyteorder("<"), b"")


def _numbers(data: bytearray, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Read raw bytes as numbers. A truth value of a byte other than 0 and 1 would be neither true nor false."""
    if dtype == np.bool_:
        return np.frombuffer(data, np.uint8) != 0
    return np.frombuffer(data, dtype)


class _Reader:
    def __init__(self, data: bytearray, layouts: bool) -> None:
        self.data = data
        self.at = 0
        self.items = 0
        self.layouts = layouts
        self.arrays: list[np.ndarray[Any, Any]] = []

    def take(self, size: int) -> bytearray:
        """The next ``size`` bytes, as a copy that is the taker's own."""
        at = self.at
        if size > len(self.data) - at:
            raise WireError(CUT_SHORT)
        self.at = at + size
        return self.data[at : at + size]

    def numbers(self, layout: struct.Struct) -> tuple[Any, ...]:
        at = self.at
        if layout.size > len(self.data) - at:
            raise WireError(CUT_SHORT)
        self.at = at + layout.size
        return layout.unpack_from(self.data, at)

    def byte(self) -> int:
        at = self.at
        if at >= len(self.data):
            raise WireError(CUT_SHORT)
        self.at = at + 1
        return self.data[at]

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise WireError(TOO_DEEP)
        self.items += 1
        if self.items > MAX_ITEMS:
            raise WireError(TOO_MANY)
        tag = self.byte()
        read = _READERS.get(tag)
        if read is None:
            raise WireError(UNKNOWN_TAG.format(tag=bytes([tag])))
        return read(self, depth)

    def sized(self) -> bytearray:
        return self.take(self.numbers(LENGTH)[0])

    def text(self) -> str:
        try:
            return self.sized().decode("utf-8")
        except UnicodeDecodeError:
            raise WireError(BAD_TEXT) from None

    def integer(self) -> int:
        data = self.sized()
        if len(data) > MAX_INT_BYTES:
            raise WireError(TOO_LARGE.format(size=len(data), limit=MAX_INT_BYTES))
        return int.from_bytes(data, "little", signed=True)

    def sequence(self, depth: int) -> list[Any]:
        (count,) = self.numbers(LENGTH)
        if count > len(self.data) - self.at:  # every value takes a byte at least
            raise WireError(CUT_SHORT)
        return [self.value(depth + 1) for _ in range(count)]

    def dictionary(self, depth: int) -> dict[Any, Any]:
        (count,) = self.numbers(LENGTH)
        if count > MAX_KEYS:
            raise WireError(TOO_MANY_KEYS)
        result = {}
        for _ in range(count):
            key = self.value(depth + 1)
            if not _may_be_key(key):
                raise WireError(BAD_KEY)
            result[key] = self.value(depth + 1)
        return result

    def dtype(self) -> np.dtype[Any]:
        code = self.byte()
        if code >= len(_DTYPES):
            raise WireError(BAD_ARRAY)
        return _DTYPES[code]

    def scalar(self) -> np.generic:
        dtype = self.dtype()
        return _numbers(self.take(dtype.itemsize), dtype)[0]

    def axes(self) -> int:
        axes = self.byte()
        if axes > MAX_AXES:
            raise WireError(BAD_ARRAY)
        return axes

    def contiguous(self) -> np.ndarray[Any, Any]:
        dtype, axes = self.dtype(), self.axes()
        shape = self.numbers(_SHAPES[axes])
        if 0 in shape and max(shape) > MAX_EMPTY_AXIS:  # no byte backs the claim of the other axes
            raise WireError(BAD_ARRAY)
        data = self.take(math.prod(shape) * dtype.itemsize)
        try:
            return _numbers(data, dtype).reshape(shape)
        except ValueError:  # an empty array whose other axes together are beyond NumPy
            raise WireError(BAD_ARRAY) from None

    def view(self) -> np.ndarray[Any, Any]:
        if not self.layouts:
            raise WireError(NOT_A_VIEW)
        dtype, axes = self.dtype(), self.axes()
        *lengths, offset, size, writeable = self.numbers(_VIEWS[axes])
        memory = self.take(size)
        try:
            array: np.ndarray[Any, Any] = np.ndarray(lengths[:axes], dtype, memory, offset, lengths[axes:])
        except (ValueError, TypeError, OverflowError):
            raise WireError(BAD_ARRAY) from None
        if not writeable:
            array.flags.writeable = False
        self.arrays.append(array)
        return array

    def again(self) -> np.ndarray[Any, Any]:
        (number,) = self.numbers(LENGTH)
        if number >= len(self.arrays):
            raise WireError(BAD_ARRAY)
        return self.arrays[number]


_READERS: dict[int, Callable[[_Reader, int], Any]] = {
    ord("N"): lambda r, _d: None,
    ord("T"): lambda r, _d: True,
    ord("F"): lambda r, _d: False,
    ord("i"): lambda r, _d: r.integer(),
    ord("f"): lambda r, _d: r.numbers(_FLOAT)[0],
    ord("c"): lambda r, _d: complex(*r.numbers(_COMPLEX)),
    ord("s"): lambda r, _d: r.text(),
    ord("b"): lambda r, _d: bytes(r.sized()),
    ord("l"): lambda r, d: r.sequence(d),
    ord("t"): lambda r, d: tuple(r.sequence(d)),
    ord("d"): lambda r, d: r.dictionary(d),
    ord("g"): lambda r, _d: r.scalar(),
    ord("a"): lambda r, _d: r.contiguous(),
    ord("v"): lambda r, _d: r.view(),
    ord("r"): lambda r, _d: r.again(),
    ord("o"): lambda r, _d: Opaque(r.text()),
}
