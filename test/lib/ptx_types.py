"""Types of PTX, and their counterparts in C."""

import re

WIDTH = {"b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2,
         "bf16": 2, "b32": 4, "u32": 4, "s32": 4, "f32": 4, "f16x2": 4, "bf16x2": 4,
         "b64": 8, "u64": 8, "s64": 8, "f64": 8}
C_TYPE = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t"}


class PtxError(Exception):
    """An instruction without a translation."""


def unsigned(kind):
    return C_TYPE[WIDTH[kind]]


def signed(kind):
    return unsigned(kind)[1:]


def name_of(text):
    return re.sub(r"[^A-Za-z0-9_]", "_", text)
