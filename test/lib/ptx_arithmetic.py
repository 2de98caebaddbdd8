"""Arithmetic of PTX in C: numbers, bits, comparisons and conversions."""

from ptx_types import WIDTH, signed, unsigned

COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
           "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}


class Arithmetic:
    """Translations of a kernel's instructions that compute with its registers."""

    def binary(self, opcode, operands, symbol):
        kind = opcode[-1]
        a, b = (self.typed(o, kind) for o in operands[1:3])
        if kind in ("bf16x2", "f16x2"):
            half = kind[:-2]
            x, y = (self.value(o) for o in operands[1:3])
            parts = [f"((uint32_t)to_{half}(from_{half}((uint16_t)({x} >> {s})) {symbol} "
                     f"from_{half}((uint16_t)({y} >> {s}))) << {s})" for s in (0, 16)]
            return f"{self.value(operands[0])} = {' | '.join(parts)};"
        return self.result(operands[0], kind, f"{a} {symbol} {b}")

    def do_add(self, opcode, operands):
        return self.binary(opcode, operands, "+")

    def do_sub(self, opcode, operands):
        return self.binary(opcode, operands, "-")

    def product(self, opcode, operands):
        kind = opcode[-1]
        a, b = (self.typed(o, kind) for o in operands[1:3])
        if "wide" in opcode:
            wide = kind[0] + str(16 * WIDTH[kind])
            ctype = signed(wide) if kind[0] == "s" else unsigned(wide)
            return wide, f"({ctype}){a} * ({ctype}){b}"
        if "hi" in opcode:
            bits = 8 * WIDTH[kind]
            ctype = "__int128" if kind[0] == "s" else "unsigned __int128"
            return kind, f"(({ctype}){a} * ({ctype}){b}) >> {bits}"
        if kind[0] in "us":
            return kind, f"({unsigned(kind)}){a} * ({unsigned(kind)}){b}"
        return kind, f"{a} * {b}"

    def do_mul(self, opcode, operands):
        if opcode[-1] in ("bf16x2", "f16x2"):
            return self.binary(opcode, operands, "*")
        kind, value = self.product(opcode, operands)
        return self.result(operands[0], kind, value)

    def do_mad(self, opcode, operands):
        kind, value = self.product(opcode, operands)
        return self.result(operands[0], kind,
                           f"({value}) + {self.typed(operands[3], kind)}")

    def do_fma(self, opcode, operands):
        kind = opcode[-1]
        if kind in ("bf16x2", "f16x2"):
            half = kind[:-2]
            x, y, z = (self.value(o) for o in operands[1:4])
            parts = [f"((uint32_t)to_{half}(fma(" + ", ".join(
                f"from_{half}((uint16_t)({v} >> {s}))" for v in (x, y, z)) +
                f")) << {s})" for s in (0, 16)]
            return f"{self.value(operands[0])} = {' | '.join(parts)};"
        a, b, c = (self.typed(o, kind) for o in operands[1:4])
        function = "fma" if kind == "f64" else "fmaf"
        return self.result(operands[0], kind, f"{function}({a}, {b}, {c})")

    def do_div(self, opcode, operands):
        return self.binary(opcode, operands, "/")

    def do_rem(self, opcode, operands):
        return self.binary(opcode, operands, "%")

    def logic(self, opcode, operands, symbol):
        if opcode[-1] == "pred":
            a, b = (self.value(o) for o in operands[1:3])
            return f"{self.value(operands[0])} = {a} {symbol} {b};"
        return self.binary(opcode, operands, symbol)

    def do_and(self, opcode, operands):
        return self.logic(opcode, operands, "&")

    def do_or(self, opcode, operands):
        return self.logic(opcode, operands, "|")

    def do_xor(self, opcode, operands):
        return self.logic(opcode, operands, "^")

    def do_not(self, opcode, operands):
        if opcode[-1] == "pred":
            return f"{self.value(operands[0])} = !{self.value(operands[1])};"
        return self.result(operands[0], opcode[-1],
                           "~" + self.typed(operands[1], opcode[-1]))

    def shift(self, opcode, operands, symbol):
        kind = opcode[-1]
        bits = 8 * WIDTH[kind]
        a = self.typed(operands[1], kind)
        by = f"(uint32_t){self.value(operands[2])}"
        over = f"({a} < 0 ? -1 : 0)" if kind[0] == "s" else "0"
        return self.result(operands[0], kind,
                           f"{by} >= {bits} ? {over} : {a} {symbol} ({by} & {bits - 1})")

    def do_shl(self, opcode, operands):
        return self.shift(opcode, operands, "<<")

    def do_shr(self, opcode, operands):
        return self.shift(opcode, operands, ">>")

    def do_neg(self, opcode, operands):
        kind = opcode[-1]
        return self.result(operands[0], kind, "-" + self.typed(operands[1], kind))

    def do_abs(self, opcode, operands):
        kind = opcode[-1]
        a = self.typed(operands[1], kind)
        function = "fabs" if kind[0] in "fb" else "llabs"
        return self.result(operands[0], kind, f"{function}({a})")

    def extreme(self, opcode, operands, symbol):
        kind = opcode[-1]
        a, b = (self.typed(o, kind) for o in operands[1:3])
        if kind[0] in "us":
            return self.result(operands[0], kind, f"{a} {symbol} {b} ? {a} : {b}")
        name = ("max" if symbol == ">" else "min") + ("_nan" if "NaN" in opcode else "")
        return self.result(operands[0], kind, f"float_{name}({a}, {b})")

    def do_max(self, opcode, operands):
        return self.extreme(opcode, operands, ">")

    def do_min(self, opcode, operands):
        return self.extreme(opcode, operands, "<")

    def do_copysign(self, opcode, operands):
        kind = opcode[-1]
        # The sign is that of the first operand.
        return self.result(operands[0], kind,
                           f"copysign({self.typed(operands[2], kind)}, "
                           f"{self.typed(operands[1], kind)})")

    def do_sqrt(self, opcode, operands):
        return self.function("sqrt", opcode, operands)

    def function(self, name, opcode, operands):
        kind = opcode[-1]
        return self.result(operands[0], kind, f"{name}({self.typed(operands[1], kind)})")

    def do_rcp(self, opcode, operands):
        return self.function("1 / ", opcode, operands)

    def do_rsqrt(self, opcode, operands):
        return self.function("1 / sqrt", opcode, operands)

    def do_ex2(self, opcode, operands):
        return self.function("exp2f", opcode, operands)

    def do_lg2(self, opcode, operands):
        return self.function("log2f", opcode, operands)

    def do_sin(self, opcode, operands):
        return self.function("sinf", opcode, operands)

    def do_cos(self, opcode, operands):
        return self.function("cosf", opcode, operands)

    def do_tanh(self, opcode, operands):
        return self.function("tanhf", opcode, operands)

    def do_setp(self, opcode, operands):
        kind, compare = opcode[-1], opcode[1]
        a, b = (self.typed(o, kind) for o in operands[1:3])
        isfloat = kind in ("f32", "f64", "f16", "bf16")
        if compare == "num":
            value = f"({a} == {a} && {b} == {b})"
        elif compare == "nan":
            value = f"({a} != {a} || {b} != {b})"
        elif isfloat and compare.endswith("u") and compare[:-1] in COMPARE:
            value = f"({a} != {a} || {b} != {b} || {a} {COMPARE[compare[:-1]]} {b})"
        elif isfloat and compare == "ne":
            value = f"({a} == {a} && {b} == {b} && {a} != {b})"
        else:
            value = f"({a} {COMPARE[compare]} {b})"
        if len(opcode) > 3 and opcode[2] in ("and", "or", "xor"):
            symbol = {"and": "&", "or": "|", "xor": "^"}[opcode[2]]
            value = f"({value} {symbol} {self.value(operands[3].lstrip('!'))})"
        return f"{self.value(operands[0])} = {value};"

    def do_selp(self, opcode, operands):
        a, b, p = (self.value(o) for o in operands[1:4])
        return f"{self.value(operands[0])} = {p} ? {a} : {b};"

    def do_cvt(self, opcode, operands):
        flags, to, source = opcode[1:-2], opcode[-2], opcode[-1]
        if to in ("bf16x2", "f16x2"):
            half = to[:-2]
            a, b = (self.typed(o, source) for o in operands[1:3])
            return (f"{self.value(operands[0])} = ((uint32_t)to_{half}({a}) << 16) | "
                    f"to_{half}({b});")
        value = self.typed(operands[1], source)
        isfloat = source in ("f16", "bf16", "f32", "f64")
        rounding = {"rzi": "trunc", "rni": "nearbyint", "rmi": "floor", "rpi": "ceil"}
        for flag in flags:
            if flag in rounding:
                value = f"{rounding[flag]}({value})"
        if "sat" in flags:
            value = f"saturate({value})"
        if isfloat and to[0] in "us" and to != source:
            low = -2**(8 * WIDTH[to] - 1) if to[0] == "s" else 0
            high = 2**(8 * WIDTH[to] - (to[0] == "s")) - 1
            return self.result(operands[0], to,
                               f"to_integer({value}, {low}.0, {high}.0, "
                               f"{'(int64_t)' if to[0] == 's' else ''}{high}ull)")
        return self.result(operands[0], to, value)

    def do_clz(self, opcode, operands):
        kind = opcode[-1]
        a, bits = self.typed(operands[1], kind.replace("b", "u")), 8 * WIDTH[kind]
        builtin = "__builtin_clz" + ("ll" if bits == 64 else "")
        return f"{self.value(operands[0])} = {a} ? {builtin}({a}) : {bits};"

    def do_popc(self, opcode, operands):
        return (f"{self.value(operands[0])} = "
                f"__builtin_popcountll({self.typed(operands[1], opcode[-1])});")

    def do_bfe(self, opcode, operands):
        kind = opcode[-1]
        a, b, c = (self.value(o) for o in operands[1:4])
        bits = 8 * WIDTH[kind]
        if kind[0] == "s":
            return self.result(operands[0], kind,
                               f"(({signed(kind)})(({unsigned(kind)}){a} << "
                               f"({bits} - {c} - {b}))) >> ({bits} - {c})")
        return self.result(operands[0], kind,
                           f"(({unsigned(kind)}){a} >> {b}) & ((1ull << {c}) - 1)")

    def do_prmt(self, opcode, operands):
        a, b, c = (self.value(o) for o in operands[1:4])
        return f"{self.value(operands[0])} = permute({a}, {b}, {c});"
