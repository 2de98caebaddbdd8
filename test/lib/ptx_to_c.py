"""Translate PTX, as LLVM writes it, to C that runs the threads of a workgroup.

For tests of kernels on machines without a GPU: each instruction becomes a statement,
registers become variables, and barriers and exchanges between the threads of a warp
calls of GpuThreads.h. An instruction that is not known is an error that names it.
"""

import re

WIDTH = {"b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2,
         "bf16": 2, "b32": 4, "u32": 4, "s32": 4, "f32": 4, "f16x2": 4, "bf16x2": 4,
         "b64": 8, "u64": 8, "s64": 8, "f64": 8}
C_TYPE = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t"}
COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
           "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}


class PtxError(Exception):
    """An instruction without a translation."""


def unsigned(kind):
    return C_TYPE[WIDTH[kind]]


def signed(kind):
    return unsigned(kind)[1:]


def name_of(text):
    return re.sub(r"[^A-Za-z0-9_]", "_", text)


class Kernel:
    """One `.entry`, translated to the body of a C function."""

    def __init__(self, name, parameters, text):
        self.name = name
        self.parameters = {p: i for i, p in enumerate(parameters)}
        self.lines = []
        self.registers = {}
        self.shared = []
        statement = ""
        for line in text.splitlines():
            statement = f"{statement} {line.split('//')[0].strip()}".strip()
            # Long lists of operands go on in the next line.
            if statement and (statement[-1] in ";:{}" or statement[0] == "."):
                self.statement(statement)
                statement = ""

    # ---- statements

    def statement(self, line):
        if line in "{}" or line.startswith((".loc", ".pragma", ".file")):
            return
        if match := re.match(r"\.reg \.(\w+)\s+(%\w+)<(\d+)>;", line):
            kind, prefix, count = match.groups()
            self.registers[prefix] = (kind, int(count))
            return
        if match := re.match(r"\.(shared|local) \.align \d+ \.b8\s+(\S+)\[(\d+)\];", line):
            self.shared.append((match[1], name_of(match[2]), int(match[3])))
            return
        if match := re.match(r"(\$?\w+):$", line):
            self.lines.append(f"{name_of(match[1])}:;")
            return
        guard = ""
        if match := re.match(r"@(!?)(%\w+)\s+(.*)", line):
            guard = f"if ({match[1]}{self.value(match[2])}) "
            line = match[3]
        if not line.endswith(";"):
            raise PtxError(f"'{line}' is not understood")
        opcode, _, rest = line[:-1].strip().replace("\t", " ").partition(" ")
        operands = self.split(rest.strip())
        try:
            code = self.translate(opcode.split("."), operands)
        except (KeyError, IndexError, ValueError) as error:
            raise PtxError(f"'{line}' does not have a translation ({error!r})") from None
        self.lines.append(f"{guard}{{ {code} }}")

    @staticmethod
    def split(text):
        """Operands, of which lists in braces are lists."""
        result, depth, start = [], 0, 0
        for i, c in enumerate(text + ","):
            depth += (c in "{[") - (c in "}]")
            if c == "," and depth == 0:
                result.append(text[start:i].strip())
                start = i + 1
        return [Kernel.split(r[1:-1].strip()) if r.startswith("{") else r
                for r in result if r]

    # ---- operands

    SPECIAL = {"%laneid": "(T->tid[0] & 31)"} | {
        f"%{r}.{d}": f"T->{m}[{i}]" for r, m in
        (("tid", "tid"), ("ctaid", "ctaid"), ("ntid", "ntid"), ("nctaid", "nctaid"))
        for i, d in enumerate("xyz")}

    def value(self, text):
        if text in self.SPECIAL:
            return self.SPECIAL[text]
        if text.startswith("%"):
            return name_of(text[1:])
        if text.startswith("0f"):
            return f"0x{text[2:]}u"
        if text.startswith("0d"):
            return f"0x{text[2:]}ull"
        if re.match(r"-?(0x)?[0-9A-Fa-f]+$", text):
            return f"((uint64_t){text}ll)" if abs(int(text, 0)) > 2**31 - 1 else text
        return f"((uint64_t){name_of(text)})"

    def typed(self, text, kind):
        """`text` as a C number of `kind`."""
        value = self.value(text)
        if kind in ("f32", "f64"):
            return f"as_{kind}({value})"
        if kind in ("f16", "bf16"):
            return f"from_{kind}({value})"
        if kind == "pred":
            return value
        return f"(({signed(kind) if kind[0] == 's' else unsigned(kind)}){value})"

    def result(self, text, kind, value):
        if text == "_":
            return f"(void)({value});"
        if kind in ("f32", "f64", "f16", "bf16"):
            value = f"to_{kind}({value})"
        elif kind in WIDTH:
            value = f"({signed(kind) if kind[0] == 's' else unsigned(kind)})({value})"
        return f"{self.value(text)} = {value};"

    def address(self, text):
        base, _, offset = text[1:-1].partition("+")
        if base in self.parameters:
            return f"((char *)&T->parameters[{self.parameters[base]}] + {offset or 0})"
        return f"((char *)({self.value(base)}) + {offset or 0})"

    # ---- instructions

    def translate(self, opcode, operands):
        method = getattr(self, "do_" + opcode[0], None)
        if method is None:
            raise PtxError(f"the instruction '{'.'.join(opcode)}' does not have a translation")
        return method(opcode, operands)

    def do_ret(self, opcode, operands):
        return "return;"

    do_exit = do_ret

    def do_trap(self, opcode, operands):
        return "abort();"

    def do_bra(self, opcode, operands):
        return f"goto {name_of(operands[0])};"

    def do_mov(self, opcode, operands):
        to, source = operands
        kind = opcode[-1]
        if isinstance(to, list):
            bits = 8 * WIDTH[kind] // len(to)
            return " ".join(
                f"{self.value(part)} = (uint{bits}_t)((uint{8 * WIDTH[kind]}_t)"
                f"{self.value(source)} >> {bits * i});"
                for i, part in enumerate(to) if part != "_")
        if isinstance(source, list):
            bits = 8 * WIDTH[kind] // len(source)
            value = " | ".join(
                f"((uint64_t)(uint{bits}_t){self.value(part)} << {bits * i})"
                for i, part in enumerate(source))
            return f"{self.value(to)} = {value};"
        return f"{self.value(to)} = {self.value(source)};"

    def do_cvta(self, opcode, operands):
        return f"{self.value(operands[0])} = {self.value(operands[1])};"

    def memory(self, opcode):
        kind = opcode[-1]
        count = next((int(o[1:]) for o in opcode if re.match(r"v\d$", o)), 1)
        return kind, count

    def do_ld(self, opcode, operands):
        kind, count = self.memory(opcode)
        targets = operands[0] if isinstance(operands[0], list) else [operands[0]]
        ctype = signed(kind) if kind[0] == "s" else unsigned(kind)
        size = WIDTH[kind]
        code = f"char *p = {self.address(operands[1])}; check(p, {size * count}); "
        parts = "".join(f"{ctype} v{i}; memcpy(&v{i}, p + {i * size}, {size}); "
                        for i in range(count))
        return code + parts + " ".join(
            f"{self.value(t)} = v{i};" for i, t in enumerate(targets) if t != "_")

    def do_st(self, opcode, operands):
        kind, count = self.memory(opcode)
        sources = operands[1] if isinstance(operands[1], list) else [operands[1]]
        size = WIDTH[kind]
        code = f"char *p = {self.address(operands[0])}; check(p, {size * count}); "
        return code + "".join(
            f"{unsigned(kind)} v{i} = ({unsigned(kind)}){self.value(s)}; "
            f"memcpy(p + {i * size}, &v{i}, {size}); " for i, s in enumerate(sources))

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

    def do_bar(self, opcode, operands):
        return "barrier(T);"

    do_barrier = do_bar

    def do_shfl(self, opcode, operands):
        target, _, valid = operands[0].partition("|")
        a, b, c = (self.value(o) for o in operands[1:4])
        mode = {"up": 0, "down": 1, "bfly": 2, "idx": 3}[opcode[2]]
        code = f"int ok; {self.value(target)} = shuffle(T, {a}, {b}, {c}, {mode}, &ok);"
        return code + (f" {self.value(valid)} = ok;" if valid else "")

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

    def do_mma(self, opcode, operands):
        to, kinds = operands[0], [o for o in opcode if o in WIDTH]
        shape = next(o for o in opcode if re.match(r"m\d+n\d+k\d+$", o))
        if shape not in ("m16n8k16", "m16n8k8") or kinds[0] != "f32":
            raise PtxError(f"products '{'.'.join(opcode)}' do not have a translation")
        a, b, c = operands[1:4]
        depth = int(shape.split("k")[1])
        lists = [f"uint32_t {n}[] = {{{', '.join(self.value(v) for v in part)}}};"
                 for n, part in (("a", a), ("b", b), ("c", c))]
        return (" ".join(lists) + f" float d[4]; product(T, a, {len(a)}, b, {len(b)}, c, d, "
                f"{depth}, {int(kinds[1] == 'bf16')}); " +
                " ".join(f"{self.value(v)} = to_f32(d[{i}]);" for i, v in enumerate(to)))

    def do_ldmatrix(self, opcode, operands):
        targets = operands[0]
        code = (f"uint32_t r[4]; load_matrix(T, {self.address(operands[1])}, "
                f"{len(targets)}, {int('trans' in opcode)}, r); ")
        return code + " ".join(f"{self.value(t)} = r[{i}];" for i, t in enumerate(targets))

    def do_cp(self, opcode, operands):
        if opcode[1] == "async" and len(opcode) > 3 and opcode[2] in ("ca", "cg"):
            size = operands[2]
            read = self.value(operands[3]) if len(operands) > 3 else size
            return (f"char *p = {self.address(operands[0])}; memset(p, 0, {size}); "
                    f"memcpy(p, {self.address(operands[1])}, {read});")
        # Copies are done at once.
        return ";"

    def do_createpolicy(self, opcode, operands):
        return ";"

    # ---- the function

    def function_text(self):
        out = [f"static void {self.name}_thread(struct Thread *T) {{"]
        for prefix, (kind, count) in self.registers.items():
            ctype = "int" if kind == "pred" else unsigned(kind)
            base = name_of(prefix[1:])
            names = ", ".join(f"{base}{i} = 0" for i in range(count))
            out.append(f"  {ctype} {names};")
        offset = 0
        for place, name, size in self.shared:
            if place == "local":
                out.append(f"  char {name}[{size}] __attribute__((aligned(16)));")
            else:
                out.append(f"  char *{name} = T->shared + {offset};")
                offset += (size + 15) // 16 * 16
        out += ["  " + line for line in self.lines]
        out.append("}")
        return "\n".join(out), offset


def data_text(text):
    """Constants of the module: `.global .align 4 .b8 name[8] = {1, 2, ...};`."""
    out = []
    pattern = r"\.(?:global|const) (?:\.align \d+ )?\.(\w+) (\w+)(?:\[(\d+)\])?(?: = ([^;]*))?;"
    for kind, name, count, values in re.findall(pattern, text):
        out.append(f"static {unsigned(kind)} {name_of(name)}[{count or 1}] = "
                   f"{values if values.startswith('{') else '{' + (values or '0') + '}'};")
    return "\n".join(out)


def translate(assembly):
    """C source of all kernels of the PTX module `assembly`, and their names."""
    text = [data_text(assembly)]
    # Shared memory that the module declares outside of kernels.
    shared = re.findall(r"^\.(?:visible )?(?:extern )?(?:\.?\w+ )*\.?shared \.align \d+ \.b8 "
                        r"(\S+)\[(\d+)\];", assembly, re.M)
    names = []
    for match in re.finditer(r"\.entry (\w+)\s*\((.*?)\)(.*?)\n\{(.*?)\n\}", assembly, re.S):
        name, parameters, _, body = match.groups()
        kernel = Kernel(name, re.findall(r"(\w+)\s*(?:,|$)", parameters), body)
        kernel.shared = [("shared", name_of(n), int(s)) for n, s in shared] + kernel.shared
        code, size = kernel.function_text()
        text.append(code)
        meets = re.search(r"\b(barrier|shuffle|product|load_matrix)\(T", code)
        text.append(f"void {name}(struct Launch *launch) {{ "
                    f"{'run' if meets else 'run_alone'}(launch, {name}_thread, {size}); }}")
        names.append(name)
    return '#include "GpuThreads.h"\n' + "\n".join(text) + "\n", names
