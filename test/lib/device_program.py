"""Programs for devices, written as ProgramFile.h describes the file and by nothing of
mlir-prof, and a small one by hand.

usage: device_program.py FOLDER   writes programs, arguments and expected results
"""

import pathlib
import random
import struct
import sys
import zlib

UNIT = 64
NONE = 0xFFFFFFFF
PLACES = {"argument": 0, "result": 1, "arena": 2, "constant": 3, "probes": 4}


def pad(content):
    """The content and zeros up to a multiple of the unit."""
    return content + bytes(-len(content) % UNIT)


def text(value):
    """A text with its length."""
    content = value if isinstance(value, bytes) else value.encode()
    return struct.pack("<Q", len(content)) + content


def numbers(values):
    """A list of 64-bit integers."""
    return struct.pack(f"<Q{len(values)}q", len(values), *values)


def binding(place, index, offset, size):
    """A range of memory."""
    return struct.pack("<BIQQ", PLACES[place], index, offset, size)


def launch(kernel, grid, bindings, parameters=(), instance=NONE):
    """A step that runs a kernel."""
    return (struct.pack("<BIIIII", 0, kernel, instance, *grid)
            + struct.pack("<Q", len(bindings)) + b"".join(bindings) + numbers(parameters))


def copy(source, target):
    """A step that copies a range."""
    return struct.pack("<B", 1) + source + target


def array(name, element, shape, size):
    """An argument or a result."""
    return text(name) + text(element) + numbers(shape) + struct.pack("<Q", size)


def kernel(name, assembly, block, shared=0, node=NONE):
    """A kernel, whose assembly is given by its number."""
    return text(name) + struct.pack("<IIIIII", assembly, *block, shared, node)


def section(tag, content):
    """A section with its header."""
    header = tag.encode() + struct.pack("<IQ", zlib.crc32(content), len(content))
    return pad(header) + pad(content)


def items(elements):
    """A list of what is encoded already."""
    return struct.pack("<Q", len(elements)) + b"".join(elements)


def program(assemblies, kernels, steps, arguments, results, constants=(), arena=0,
            target="sm_80", version=(1, 0)):
    """The bytes of a file."""
    parts = [pad(b"mlprofdv" + struct.pack("<HH", *version)),
             section("main", text(target) + struct.pack("<QQ", arena, 0))]
    parts += [section("code", assembly.encode()) for assembly in assemblies]
    parts += [section("kern", items(kernels)), section("step", items(steps)),
              section("args", items(arguments)), section("rslt", items(results))]
    parts += [section("cnst", constant) for constant in constants]
    return b"".join(parts) + section("last", b"")


HEADER = ".version 7.0\n.target sm_80\n.address_size 64\n"

# y[i] = x[i] * factor[i % columns] + shift, for i < count.
SCALE = HEADER + """
.visible .entry scale(.param .u64 x, .param .u64 factor, .param .u64 y,
                      .param .u64 count, .param .u64 columns, .param .u64 shift)
{
  .reg .pred %p;
  .reg .b32 %r<5>;
  .reg .b64 %d<12>;
  .reg .f32 %f<4>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.wide.u32 %d1, %r1, %r2, 0;
  cvt.u64.u32 %d2, %r3;
  add.u64 %d1, %d1, %d2;
  ld.param.u64 %d3, [count];
  setp.ge.u64 %p, %d1, %d3;
  @%p bra DONE;
  ld.param.u64 %d4, [columns];
  rem.u64 %d5, %d1, %d4;
  ld.param.u64 %d6, [x];
  ld.param.u64 %d7, [factor];
  ld.param.u64 %d8, [y];
  ld.param.u64 %d9, [shift];
  shl.b64 %d10, %d1, 2;
  shl.b64 %d11, %d5, 2;
  add.u64 %d6, %d6, %d10;
  add.u64 %d7, %d7, %d11;
  add.u64 %d8, %d8, %d10;
  ld.global.f32 %f1, [%d6];
  ld.global.f32 %f2, [%d7];
  cvt.rn.f32.s64 %f3, %d9;
  fma.rn.f32 %f1, %f1, %f2, %f3;
  st.global.f32 [%d8], %f1;
DONE:
  ret;
}
"""

# y[row] = the sum of a row of x, by a workgroup with dynamic shared memory.
ROW_SUM = HEADER + """
.extern .shared .align 16 .b8 partial[];
.visible .entry row_sum(.param .u64 x, .param .u64 y, .param .u64 columns)
{
  .reg .pred %p<4>;
  .reg .b32 %r<10>;
  .reg .b64 %d<10>;
  .reg .f32 %f<4>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ntid.x;
  ld.param.u64 %d1, [x];
  ld.param.u64 %d2, [y];
  ld.param.u64 %d3, [columns];
  cvt.u64.u32 %d4, %r1;
  mul.lo.u64 %d5, %d4, %d3;
  shl.b64 %d5, %d5, 2;
  add.u64 %d1, %d1, %d5;
  mov.f32 %f1, 0f00000000;
  cvt.u64.u32 %d6, %r2;
  cvt.u64.u32 %d7, %r3;
LOOP:
  setp.ge.u64 %p1, %d6, %d3;
  @%p1 bra SUMMED;
  shl.b64 %d8, %d6, 2;
  add.u64 %d8, %d1, %d8;
  ld.global.f32 %f2, [%d8];
  add.rn.f32 %f1, %f1, %f2;
  add.u64 %d6, %d6, %d7;
  bra LOOP;
SUMMED:
  shl.b32 %r4, %r2, 2;
  mov.u32 %r5, partial;
  add.u32 %r5, %r5, %r4;
  st.shared.f32 [%r5], %f1;
  bar.sync 0;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra DONE;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r6, 0;
  mov.u32 %r7, partial;
ADD:
  ld.shared.f32 %f2, [%r7];
  add.rn.f32 %f1, %f1, %f2;
  add.u32 %r7, %r7, 4;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p3, %r6, %r3;
  @%p3 bra ADD;
  shl.b64 %d9, %d4, 2;
  add.u64 %d2, %d2, %d9;
  st.global.f32 [%d2], %f1;
DONE:
  ret;
}
"""

TRAP = HEADER + """
.visible .entry fail(.param .u64 x)
{
  trap;
  ret;
}
"""

ROWS, COLUMNS, THREADS = 64, 300, 128
COUNT = ROWS * COLUMNS
SHIFT = 3


def factors():
    """The constant: small whole numbers, so that sums are exact."""
    return [float(column % 5 - 2) for column in range(COLUMNS)]


def handmade(assemblies=(SCALE, ROW_SUM), **others):
    """The row sums of x * factor + 3, and x itself."""
    size = 4 * COUNT
    whole = lambda place, index=0: binding(place, index, 0, size)
    sums = binding("result", 0, 0, 4 * ROWS)
    steps = [launch(0, (-(-COUNT // THREADS), 1, 1),
                    [whole("argument"), binding("constant", 0, 0, 4 * COLUMNS),
                     binding("arena", 0, 256, size)], (COUNT, COLUMNS, SHIFT)),
             launch(1, (ROWS, 1, 1), [binding("arena", 0, 256, size), sums], (COLUMNS,)),
             copy(whole("argument"), whole("result", 1))]
    return program(assemblies,
                   [kernel("scale", 0, (THREADS, 1, 1)),
                    kernel("row_sum", 1, (THREADS, 1, 1), shared=4 * THREADS)],
                   steps, [array("x", "f32", (ROWS, COLUMNS), size)],
                   [array("sums", "f32", (ROWS,), 4 * ROWS),
                    array("same", "f32", (ROWS, COLUMNS), size)],
                   constants=(struct.pack(f"<{COLUMNS}f", *factors()),),
                   **{"arena": 256 + size, **others})


def single(assembly, name, target="sm_80", arena=256):
    """One kernel on the arena."""
    return program([assembly], [kernel(name, 0, (32, 1, 1))],
                   [launch(0, (1, 1, 1), [binding("arena", 0, 0, 256)])], [], [],
                   arena=arena, target=target)


def npy(shape, values):
    """The bytes of a file for numpy.load."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape)!r}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
            + struct.pack(f"<{len(values)}f", *values))


def write(folder):
    """All programs, and the arguments and results of the one by hand."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    source = random.Random(1)
    x = [float(source.randrange(-8, 9)) for _ in range(COUNT)]
    sums = [sum(x[row * COLUMNS + column] * factor + SHIFT
                for column, factor in enumerate(factors())) for row in range(ROWS)]
    files = {
        "handmade.gpu": handmade(),
        "x.npy": npy((ROWS, COLUMNS), x),
        "sums.npy": npy((ROWS,), sums),
        "trap.gpu": single(TRAP, "fail"),
        "no-entry.gpu": single(TRAP, "other"),
        "bad-assembly.gpu": single(HEADER + ".visible .entry fail() { nonsense; }\n", "fail"),
        "no-assembly.gpu": single("nonsense", "fail"),
        "huge.gpu": single(TRAP, "fail", arena=1 << 43),
        "newer-device.gpu": single(TRAP, "fail", target="sm_999"),
        "other-device.gpu": single(TRAP, "fail", target="sm_70a"),
        "next-version.gpu": handmade(version=(2, 0)),
        "next-minor.gpu": handmade(version=(1, 7)),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    write(sys.argv[1])
