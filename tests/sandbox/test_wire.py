"""The language of the wall: what goes in comes out, and no bytes whatsoever do anything but read or be refused."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.sandbox import wire
from autograder.sandbox.wire import Opaque, WireError, decode, encode

LIMIT = 1 << 20

dtypes = st.sampled_from([np.dtype(code) for code in wire.DTYPES])
arrays = dtypes.flatmap(lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0)))
scalars = arrays.filter(lambda array: array.size > 0).map(lambda array: array.reshape(-1)[0])
keys = st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.floats() | st.text() | st.binary()
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text()
    | st.binary()
    | arrays
    | scalars
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(keys, inner),
    max_leaves=15,
)


def same(left: Any, right: Any) -> bool:
    """Equal in type, and to the last bit."""
    if type(left) is not type(right):
        return False
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return len(left) == len(right) and all(
            same(a, b) and same(left[a], right[b]) for a, b in zip(left, right, strict=True)
        )
    if isinstance(left, np.ndarray | np.generic):
        return left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()
    if isinstance(left, float):
        return struct.pack("<d", left) == struct.pack("<d", right)
    if isinstance(left, complex):
        return same(left.real, right.real) and same(left.imag, right.imag)
    return bool(left == right)


@given(values)
def test_plain_values_come_back_the_same(value):
    assert same(decode(encode(value, limit=LIMIT)), value)


@given(values)
def test_with_layouts_too(value):
    assert same(decode(encode(value, limit=LIMIT, layouts=True), layouts=True), value)


@given(arrays.filter(lambda array: array.ndim > 0), st.data())
def test_views_keep_strides_and_protection(base, data):
    steps = [slice(None, None, data.draw(st.sampled_from([1, 2, -1, -2]))) for _ in base.shape]
    view = base[tuple(steps)].transpose(data.draw(st.permutations(range(base.ndim))))
    view.flags.writeable = data.draw(st.booleans())
    (there,) = decode(encode((view,), limit=LIMIT, layouts=True), layouts=True)
    assert there.tobytes() == view.tobytes()
    assert there.strides == view.strides
    assert there.flags.writeable == view.flags.writeable


def test_an_array_sent_twice_arrives_as_one():
    array = np.zeros(3)
    first, (second,), other = decode(encode((array, [array], array.copy()), limit=LIMIT, layouts=True), layouts=True)
    assert first is second
    assert other is not first


def test_without_layouts_a_broadcast_array_is_not_written_out_over_the_limit():
    with pytest.raises(WireError, match="over the limit"):
        encode(np.broadcast_to(np.zeros(1), (10**9,)), limit=LIMIT)


def test_big_endian_arrives_as_the_machine_reads_it():
    assert decode(encode(np.array([1, 2], ">i4"), limit=LIMIT)).tolist() == [1, 2]


def test_where_a_layout_is_kept_another_byte_order_is_refused():
    with pytest.raises(WireError, match="another order than this machine's"):
        encode(np.array([1, 2], ">i4"), limit=LIMIT, layouts=True)


class Odd(np.ndarray):
    def __eq__(self, other: object) -> bool:
        return True


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (np.zeros(2).view(Odd), "Odd"),
        (np.array([object()]), "ndarray of object"),
        (np.array(["a"]), "ndarray of <U1"),
        (np.array([(1, 2.0)], "i4,f8"), "ndarray of [('f0', '<i4'), ('f1', '<f8')]"),
        (np.longdouble(1), "longdouble"),
        (np.ma.masked_array([1]), "MaskedArray"),
        (type("Text", (str,), {})("x"), "Text"),
        (type("Pair", (tuple,), {})((1, 2)), "Pair"),
        (type("Number", (float,), {})(1), "Number"),
        ({1}, "set"),
        (len, "builtin_function_or_method"),
    ],
)
def test_anything_else_arrives_as_its_types_name(value, name):
    there = decode(encode([value], limit=LIMIT))[0]
    assert type(there) is Opaque
    assert there.type_name == name


def test_text_that_is_no_text_is_written_so_that_it_is():
    assert decode(encode("\ud800", limit=LIMIT)) == "\\ud800"


@settings(max_examples=2000)
@given(st.binary(max_size=200), st.booleans())
@example(b"a\x0b\x10" + struct.pack("<16Q", 0, *[2**16] * 15), False)  # empty, and yet beyond NumPy
@example(b"v\x0b\x01" + struct.pack("<QqQQ?", 1, 1, 2**63, 0, True), True)
@example(b"v\x0b\x01" + struct.pack("<QqQQ?", 2**64 - 1, 8, 0, 0, True), True)
@example(b"v\x0b\x01" + struct.pack("<QqQQ?", 1000, 0, 0, 8, True) + bytes(8), False)
@example(b"o\x01\x00\x00\x00\xff", False)
@example(b"l\xff\xff\xff\xff", False)
def test_any_bytes_are_read_or_refused(message, layouts):
    try:
        decode(message, layouts=layouts)
    except WireError:
        return


@settings(max_examples=1000)
@given(values, st.data())
def test_a_message_with_a_few_bytes_changed_is_read_or_refused(value, data):
    message = bytearray(encode(value, limit=LIMIT))
    for _ in range(data.draw(st.integers(1, 4))):
        message[data.draw(st.integers(0, len(message) - 1))] = data.draw(st.integers(0, 255))
    try:
        decode(message)
    except WireError:
        return


@given(values)
def test_every_beginning_of_a_message_is_refused(value):
    message = encode(value, limit=LIMIT)
    for end in range(0, len(message), max(1, len(message) // 50)):
        with pytest.raises(WireError):
            decode(message[:end])
    with pytest.raises(WireError, match="goes on"):
        decode(message + b"N")


def array_message(dtype: int, shape: tuple[int, ...], data: bytes) -> bytes:
    return b"a" + bytes([dtype]) + struct.pack(f"<B{len(shape)}Q", len(shape), *shape) + data


F8 = wire.DTYPES.index("<f8")


@pytest.mark.parametrize(
    "lie",
    [
        b"",
        b"?",
        array_message(F8, (3,), bytes(8)),
        array_message(F8, (2**40,), bytes(8)),
        array_message(F8, (2**64 - 1, 2**64 - 1), bytes(8)),
        array_message(len(wire.DTYPES), (1,), bytes(8)),
        array_message(F8, (1,) * 17, bytes(8)),
        array_message(F8, (0, 2**17), b""),
        b"g" + bytes([F8]) + bytes(7),
        b"i\xff\xff\xff\xff\x01",
        b"s\xff\xff\xff\x7fabc",
        b"t\xff\xff\xff\x7f",
        b"d\xff\xff\xff\x7f",
        b"d\x01\x00\x00\x00t\x00\x00\x00\x00N",
        b"r\x00\x00\x00\x00",
        b"s\x02\x00\x00\x00\xc3\x28",
        b"l\x01\x00\x00\x00" * 100 + b"N",
        b"i" + struct.pack("<I", wire.MAX_INT_BYTES + 1) + bytes(wire.MAX_INT_BYTES + 1),
    ],
)
def test_lies_about_length_type_shape_and_count_are_refused(lie):
    with pytest.raises(WireError):
        decode(lie)


def test_a_stride_of_zero_never_comes_out_of_the_sandbox():
    message = encode(np.broadcast_to(np.zeros(1), (10**12,)), limit=LIMIT, layouts=True)
    with pytest.raises(WireError, match="layout"):
        decode(message)


def test_too_many_values_are_refused_on_both_sides():
    with pytest.raises(WireError, match="more than"):
        encode([None] * wire.MAX_ITEMS, limit=LIMIT)
    with pytest.raises(WireError, match="more than"):
        decode(b"l" + struct.pack("<I", wire.MAX_ITEMS) + b"N" * wire.MAX_ITEMS)


def test_too_deep_values_are_refused_on_both_sides():
    value: Any = None
    for _ in range(wire.MAX_DEPTH + 1):
        value = [value]
    with pytest.raises(WireError, match="deeper"):
        encode(value, limit=LIMIT)
    itself: list[Any] = []
    itself.append(itself)
    with pytest.raises(WireError, match="deeper"):
        encode(itself, limit=LIMIT)


def test_a_message_is_never_larger_than_the_limit():
    assert len(encode(b"x" * 95, limit=100)) == 100
    with pytest.raises(WireError, match="over the limit of 100 bytes"):
        encode(b"x" * 96, limit=100)


def test_keys_that_all_have_the_same_hash_are_refused():
    """Ten thousand of them would keep the reader busy for minutes."""
    modulus = 2**61 - 1
    colliding = {number * modulus: None for number in range(1000)}
    assert len({hash(key) for key in colliding}) == 1
    with pytest.raises(WireError, match="key"):
        encode(colliding, limit=LIMIT)
    parts = [b"d" + struct.pack("<I", len(colliding))]
    parts += [encode(key, limit=LIMIT) + b"N" for key in colliding]
    with pytest.raises(WireError, match="key"):
        decode(b"".join(parts))


def test_a_dictionary_has_a_most_of_keys():
    with pytest.raises(WireError, match="keys"):
        encode(dict.fromkeys(range(wire.MAX_KEYS + 1)), limit=LIMIT)


def test_numbers_beyond_all_numbers_go_through():
    assert math.isnan(decode(encode(math.nan, limit=LIMIT)))
    assert decode(encode(math.inf, limit=LIMIT)) == math.inf
    assert decode(encode(-(2**32000), limit=LIMIT)) == -(2**32000)


def test_a_truth_value_is_always_true_or_false():
    claimed = decode(array_message(wire.DTYPES.index("|b1"), (3,), bytes([0, 1, 255])))
    assert claimed.tobytes() == bytes([0, 1, 1])
