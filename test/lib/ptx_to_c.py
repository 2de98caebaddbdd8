"""Translate PTX, as LLVM writes it, to C that runs the threads of a workgroup.

For tests of kernels on machines without a GPU: each instruction becomes a statement,
registers become variables, and barriers and exchanges between the threads of a warp
calls of GpuThreads.h. An instruction that is not known is an error that names it.
"""

import re

from ptx_arithmetic import Arithmetic
from ptx_threads import Threads
from ptx_types import WIDTH, PtxError, name_of, signed, unsigned


class Kernel(Arithmetic, Threads):
    """One `.entry`, translated to the body of a C function."""

    def __init__(self, name, parameters, text):
        self.name = name
        self.parameters = {p: i for i, p in enumerate(parameters)}
        self.lines = []
        self.registers = {}
        self.shared = []
        self.names = set()
        statement = ""
        for line in text.splitlines():
            statement = f"{statement} {line.split('//')[0].strip()}".strip()
            # Long lists of operands go on in the next line.
            if statement and (statement[-1] in ";:{}" or statement[0] == "."):
                self.statement(statement)
                statement = ""

    # ---- statements

    def statement(self, line):
        if line in "{}":
            self.lines.append(line)
            return
        if line.startswith((".loc", ".pragma", ".file")):
            return
        if match := re.match(r"\.reg \.(\w+)\s+(%\w+)<(\d+)>;", line):
            kind, prefix, count = match.groups()
            self.registers[prefix] = (kind, int(count))
            return
        if match := re.match(r"\.reg \.(\w+) (\w+);", line):
            # A register of a block of inline assembly.
            self.lines.append(f"{'int' if match[1] == 'pred' else unsigned(match[1])} "
                              f"{match[2]};")
            self.names.add(match[2])
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
        if text in self.names:
            return text
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
                        r"(\S+)\[(\d*)\];", assembly, re.M)
    names = []
    for match in re.finditer(
            # A block of inline assembly ends with a brace, too.
            r"\.entry (\w+)\s*\((.*?)\)(.*?)\n\{(.*?)\n\}(?!\s*// end inline)",
            assembly, re.S):
        name, parameters, _, body = match.groups()
        kernel = Kernel(name, re.findall(r"(\w+)\s*(?:,|$)", parameters), body)
        # Without a size, it is what the launch gives, behind all others.
        shared.sort(key=lambda each: not each[1])
        kernel.shared += [("shared", name_of(n), int(s or 0)) for n, s in shared]
        code, size = kernel.function_text()
        text.append(code)
        meets = re.search(r"\b(barrier|shuffle|product|load_matrix|copy_later)\(T", code)
        text.append(f"void {name}(struct Launch *launch) {{ "
                    f"{'run' if meets else 'run_alone'}(launch, {name}_thread, {size}); }}")
        names.append(name)
    return '#include "GpuThreads.h"\n' + "\n".join(text) + "\n", names
