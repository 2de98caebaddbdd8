"""What threads of PTX do together in C, as calls of GpuThreads.h."""

import re

from ptx_types import WIDTH, PtxError


class Threads:
    """Translations of a kernel's instructions for barriers, exchanges, copies and products."""

    def do_bar(self, opcode, operands):
        return "barrier(T);"

    do_barrier = do_bar

    def do_shfl(self, opcode, operands):
        target, _, valid = operands[0].partition("|")
        a, b, c = (self.value(o) for o in operands[1:4])
        mode = {"up": 0, "down": 1, "bfly": 2, "idx": 3}[opcode[2]]
        code = f"int ok; {self.value(target)} = shuffle(T, {a}, {b}, {c}, {mode}, &ok);"
        return code + (f" {self.value(valid)} = ok;" if valid else "")

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
            return (f"copy_later(T, {self.address(operands[0])}, "
                    f"{self.address(operands[1])}, {size}, {read});")
        if opcode[1:3] == ["async", "commit_group"]:
            return "end_group(T);"
        if opcode[1:3] == ["async", "wait_group"]:
            return f"finish_copies(T, {operands[0]});"
        raise PtxError(f"copies '{'.'.join(opcode)}' do not have a translation")

    def do_wgmma(self, opcode, operands):
        if opcode[1] != "mma_async":
            return ";"
        shape = re.search(r"\.m64n(\d+)k16\.", ".".join(opcode))
        kinds = [o for o in opcode if o in WIDTH]
        sums, a, b, scale, signs, orders = (operands[0], *operands[1:4], operands[4:6],
                                            operands[6:8])
        if kinds[0] != "f32" or signs != ["1", "1"]:
            raise PtxError(f"products '{'.'.join(opcode)}' do not have a translation")
        values = ", ".join(f"as_f32({self.value(s)})" for s in sums)
        return (f"float d[] = {{{values}}}; warpgroup_product(T, {self.value(a)}, "
                f"{self.value(b)}, {shape[1]}, {self.value(scale)}, {orders[0]}, {orders[1]}, "
                f"{int(kinds[1] == 'bf16')}, d); " +
                " ".join(f"{self.value(s)} = to_f32(d[{i}]);" for i, s in enumerate(sums)))

    def do_fence(self, opcode, operands):
        return ";"

    def do_createpolicy(self, opcode, operands):
        return ";"
