"""Compares models whose kernels are computed row by row with numbers that this
script computes, and the results of one thread with those of several.

  record_rows.py FOLDER TOOL
"""

import array
import math
import pathlib
import random
import struct
import subprocess
import sys

ALL = "affine_map<(b, h, l, s) -> (b, h, l, s)>"
ROWS = "affine_map<(b, h, l, s) -> (b, h, l)>"
PARALLEL = ", ".join(['"parallel"'] * 3)

folder, tool = sys.argv[1:]
folder = pathlib.Path(folder)


def write_array(path, shape, values):
    """A file of numpy's format, version 1."""
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) +
                     text.encode() + array.array("f", values).tobytes())


def read_array(path):
    data = path.read_bytes()
    form, place = ("<H", 8) if data[6] == 1 else ("<I", 8)
    start = place + struct.calcsize(form) + struct.unpack_from(form, data, place)[0]
    return array.array("f", data[start:])


def run(name, text, inputs, threads):
    model = folder / f"{name}.mlir"
    model.write_text(text, encoding="utf-8")
    arguments = []
    for number, (shape, values) in enumerate(inputs):
        write_array(folder / f"{name}.{number}.npy", shape, values)
        arguments.append(f"--input={number}={folder / f'{name}.{number}.npy'}")
    kept = folder / f"{name}.{threads}"
    profile = folder / f"{name}.{threads}.mlprof"
    subprocess.run([tool, "record", model, "--no-peak", "--iterations=3",
                    f"--threads={threads}", f"--save-results={kept}", "-o",
                    profile, *arguments], check=True)
    return read_array(kept / "result0.npy")


def check_blocks(name):
    """The kernel that was compiled has loops over blocks of rows."""
    # Of three iterations there may be no sample in the model.
    tiled = subprocess.run([tool, "annotate", folder / f"{name}.1.mlprof",
                            "--level=tiled", "--allow-unmatched"], check=True,
                           capture_output=True)
    assert b"mlirprof.blocks" in tiled.stdout, name


def check(name, text, inputs, expected):
    """The result is near `expected`, and the same with several threads."""
    one = run(name, text, inputs, 1)
    check_blocks(name)
    assert len(one) == len(expected), (name, len(one))
    largest = max(abs(value) for value in expected)
    worst = max(abs(got - value) for got, value in zip(one, expected))
    assert worst < 5e-6 * largest, (name, worst, largest)
    for threads in (2, 4):
        assert run(name, text, inputs, threads) == one, (name, threads)


def numbers(count, seed):
    source = random.Random(seed)
    # Exact in f32.
    return [source.randrange(-2048, 2048) / 1024 for _ in range(count)]


def softmax(row):
    most = max(row)
    if most == -math.inf:
        return [0.0] * len(row)
    powers = [math.exp(value - most) for value in row]
    total = math.fsum(powers)
    return [power / total for power in powers]


def scores_of(shape):
    """A softmax of %x, of `shape`, as PyTorch exports it: rows of -inf are 0."""
    full = "x".join(map(str, shape)) + "xf32"
    rows = "x".join(map(str, shape[:-1])) + "xf32"
    flags = "x".join(map(str, shape[:-1])) + "xi1"
    return f"""
  %low = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %rows = tensor.empty() : tensor<{rows}>
  %flags = tensor.empty() : tensor<{flags}>
  %full = tensor.empty() : tensor<{full}>
  %m0 = linalg.fill ins(%low : f32) outs(%rows : tensor<{rows}>) -> tensor<{rows}>
  %m = linalg.generic {{indexing_maps = [{ALL}, {ROWS}],
      iterator_types = [{PARALLEL}, "reduction"]}}
      ins(%x : tensor<{full}>) outs(%m0 : tensor<{rows}>) {{
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  }} -> tensor<{rows}>
  %e = linalg.generic {{indexing_maps = [{ALL}, {ROWS}, {ALL}],
      iterator_types = [{PARALLEL}, "parallel"]}}
      ins(%x, %m : tensor<{full}>, tensor<{rows}>) outs(%full : tensor<{full}>) {{
  ^bb0(%in: f32, %most: f32, %out: f32):
    %1 = arith.subf %in, %most : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  }} -> tensor<{full}>
  %s0 = linalg.fill ins(%zero : f32) outs(%rows : tensor<{rows}>) -> tensor<{rows}>
  %s = linalg.generic {{indexing_maps = [{ALL}, {ROWS}],
      iterator_types = [{PARALLEL}, "reduction"]}}
      ins(%e : tensor<{full}>) outs(%s0 : tensor<{rows}>) {{
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  }} -> tensor<{rows}>
  %a0 = linalg.fill ins(%true : i1) outs(%flags : tensor<{flags}>) -> tensor<{flags}>
  %a = linalg.generic {{indexing_maps = [{ALL}, {ROWS}],
      iterator_types = [{PARALLEL}, "reduction"]}}
      ins(%x : tensor<{full}>) outs(%a0 : tensor<{flags}>) {{
  ^bb0(%in: f32, %out: i1):
    %1 = arith.cmpf oeq, %in, %low : f32
    %2 = arith.andi %1, %out : i1
    linalg.yield %2 : i1
  }} -> tensor<{flags}>
  %y = linalg.generic {{indexing_maps = [{ROWS}, {ALL}, {ROWS}, {ALL}],
      iterator_types = [{PARALLEL}, "parallel"]}}
      ins(%a, %e, %s : tensor<{flags}>, tensor<{full}>, tensor<{rows}>)
      outs(%full : tensor<{full}>) {{
  ^bb0(%all: i1, %in: f32, %sum: f32, %out: f32):
    %1 = arith.divf %in, %sum : f32
    %2 = arith.select %all, %zero, %1 : f32
    linalg.yield %2 : f32
  }} -> tensor<{full}>"""


def attention(b, h, l, s, d, masks):
    """Heads as one batch around the products, as two dimensions between them;
    `masks` masks, for each of the batch or for all."""
    full, mask = f"{b}x{h}x{l}x{s}xf32", f"{masks}x1x{l}x{s}xf32"
    q, k, v = f"{b*h}x{l}x{d}xf32", f"{b*h}x{d}x{s}xf32", f"{b*h}x{s}x{d}xf32"
    return f"""
func.func @main(%q: tensor<{q}>, %k: tensor<{k}>, %v: tensor<{v}>,
                %mask: tensor<{mask}>) -> tensor<{q}> {{
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<{b*h}x{l}x{s}xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%pe : tensor<{b*h}x{l}x{s}xf32>)
    -> tensor<{b*h}x{l}x{s}xf32>
  %p = linalg.batch_matmul ins(%q, %k : tensor<{q}>, tensor<{k}>)
    outs(%p0 : tensor<{b*h}x{l}x{s}xf32>) -> tensor<{b*h}x{l}x{s}xf32>
  %px = tensor.expand_shape %p [[0, 1], [2], [3]] output_shape [{b}, {h}, {l}, {s}]
    : tensor<{b*h}x{l}x{s}xf32> into tensor<{full}>
  %xe = tensor.empty() : tensor<{full}>
  %x = linalg.generic {{indexing_maps = [{ALL},
      affine_map<(b, h, l, s) -> ({'b' if masks > 1 else '0'}, 0, l, s)>, {ALL}],
      iterator_types = [{PARALLEL}, "parallel"]}}
      ins(%px, %mask : tensor<{full}>, tensor<{mask}>) outs(%xe : tensor<{full}>) {{
  ^bb0(%in: f32, %other: f32, %out: f32):
    %1 = arith.addf %in, %other : f32
    linalg.yield %1 : f32
  }} -> tensor<{full}>{scores_of((b, h, l, s))}
  %yc = tensor.collapse_shape %y [[0, 1], [2], [3]]
    : tensor<{full}> into tensor<{b*h}x{l}x{s}xf32>
  %re = tensor.empty() : tensor<{q}>
  %r0 = linalg.fill ins(%zero : f32) outs(%re : tensor<{q}>) -> tensor<{q}>
  %r = linalg.batch_matmul ins(%yc, %v : tensor<{b*h}x{l}x{s}xf32>, tensor<{v}>)
    outs(%r0 : tensor<{q}>) -> tensor<{q}>
  return %r : tensor<{q}>
}}
"""


def check_attention(name, b, h, l, s, d, masks):
    q, k, v = (numbers(b * h * n * d, seed) for n, seed in ((l, 1), (s, 2), (s, 3)))
    # Each row sees some of the keys; two rows see none.
    mask = [-math.inf if i % l in (3, l - 1) or (i * 5 + j * 3) % 7 == 0 else 0.0
            for i in range(masks * l) for j in range(s)]
    expected = []
    for head in range(b * h):
        keys = [[k[(head * d + c) * s + j] for c in range(d)] for j in range(s)]
        values = [[v[(head * s + j) * d + c] for j in range(s)] for c in range(d)]
        own = head // h if masks > 1 else 0
        for i in range(l):
            query = q[(head * l + i) * d:(head * l + i + 1) * d]
            row = softmax([sum(map(float.__mul__, query, key)) +
                           mask[(own * l + i) * s + j]
                           for j, key in enumerate(keys)])
            expected += [math.fsum(map(float.__mul__, row, value))
                         for value in values]
    check(name, attention(b, h, l, s, d, masks),
          [((b * h, l, d), q), ((b * h, d, s), k), ((b * h, s, d), v),
           ((masks, 1, l, s), mask)], expected)


def check_grouped(groups, heads, l, s, d):
    """Several heads with the same keys and values, causal."""
    q = numbers(groups * heads * l * d, 4)
    k, v = numbers(groups * s * d, 5), numbers(groups * s * d, 6)
    shape = (groups, heads, l, s)
    full = "x".join(map(str, shape)) + "xf32"
    qt, kt = f"{groups}x{heads}x{l}x{d}xf32", f"{groups}x{s}x{d}xf32"
    loops = ", ".join(['"parallel"'] * 4 + ['"reduction"'])
    head = "affine_map<(b, h, l, s, d) ->"
    text = f"""
func.func @main(%q: tensor<{qt}>, %k: tensor<{kt}>, %v: tensor<{kt}>)
    -> tensor<{qt}> {{
  %zero = arith.constant 0.0 : f32
  %never = arith.constant 0xFF800000 : f32
  %pe = tensor.empty() : tensor<{full}>
  %p0 = linalg.fill ins(%zero : f32) outs(%pe : tensor<{full}>) -> tensor<{full}>
  %p = linalg.generic {{indexing_maps = [{head} (b, h, l, d)>, {head} (b, s, d)>,
      {head} (b, h, l, s)>], iterator_types = [{loops}]}}
      ins(%q, %k : tensor<{qt}>, tensor<{kt}>) outs(%p0 : tensor<{full}>) {{
  ^bb0(%one: f32, %two: f32, %out: f32):
    %1 = arith.mulf %one, %two : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  }} -> tensor<{full}>
  %x = linalg.generic {{indexing_maps = [{ALL}, {ALL}],
      iterator_types = [{PARALLEL}, "parallel"]}}
      ins(%p : tensor<{full}>) outs(%pe : tensor<{full}>) {{
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %1 = arith.cmpi ugt, %j, %i : index
    %2 = arith.select %1, %never, %in : f32
    linalg.yield %2 : f32
  }} -> tensor<{full}>{scores_of(shape)}
  %re = tensor.empty() : tensor<{qt}>
  %r0 = linalg.fill ins(%zero : f32) outs(%re : tensor<{qt}>) -> tensor<{qt}>
  %r = linalg.generic {{indexing_maps = [{head} (b, h, l, d)>, {head} (b, d, s)>,
      {head} (b, h, l, s)>], iterator_types = [{loops}]}}
      ins(%y, %v : tensor<{full}>, tensor<{kt}>) outs(%r0 : tensor<{qt}>) {{
  ^bb0(%one: f32, %two: f32, %out: f32):
    %1 = arith.mulf %one, %two : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  }} -> tensor<{qt}>
  return %r : tensor<{qt}>
}}
"""
    expected = []
    for number in range(groups * heads):
        group = number // heads
        keys = [k[(group * s + j) * d:(group * s + j + 1) * d] for j in range(s)]
        values = [[v[(group * s + j) * d + c] for j in range(s)] for c in range(d)]
        for i in range(l):
            query = q[(number * l + i) * d:(number * l + i + 1) * d]
            row = softmax([sum(map(float.__mul__, query, key)) if j <= i
                           else -math.inf for j, key in enumerate(keys)])
            expected += [math.fsum(map(float.__mul__, row, value))
                         for value in values]
    check("grouped", text, [((groups, heads, l, d), q), ((groups, s, d), k),
                            ((groups, s, d), v)], expected)


def check_softmax(shape):
    full = "x".join(map(str, shape)) + "xf32"
    text = f"""
func.func @main(%x: tensor<{full}>) -> tensor<{full}> {{
  %zero = arith.constant 0.0 : f32{scores_of(shape)}
  return %y : tensor<{full}>
}}
"""
    values = numbers(math.prod(shape), 7)
    # A row of -inf.
    width = shape[-1]
    values[5 * width:6 * width] = [-math.inf] * width
    expected = []
    for start in range(0, len(values), width):
        expected += softmax(values[start:start + width])
    check("softmax", text, [(shape, values)], expected)


def check_norm(rows, width):
    """A layer norm of a sum, with scales."""
    full, row, one = f"{rows}x{width}xf32", f"{rows}xf32", f"{width}xf32"
    every = "affine_map<(i, j) -> (i, j)>"
    each, along = "affine_map<(i, j) -> (i)>", "affine_map<(i, j) -> (j)>"
    text = f"""
func.func @main(%x: tensor<{full}>, %z: tensor<{full}>, %g: tensor<{one}>)
    -> tensor<{full}> {{
  %zero = arith.constant 0.0 : f32
  %n = arith.constant {float(width)} : f32
  %small = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<{full}>
  %v = tensor.empty() : tensor<{row}>
  %f = linalg.fill ins(%zero : f32) outs(%v : tensor<{row}>) -> tensor<{row}>
  %a = linalg.generic {{indexing_maps = [{every}, {every}, {every}],
      iterator_types = ["parallel", "parallel"]}}
      ins(%x, %z : tensor<{full}>, tensor<{full}>) outs(%e : tensor<{full}>) {{
  ^bb0(%in: f32, %other: f32, %out: f32):
    %1 = arith.addf %in, %other : f32
    linalg.yield %1 : f32
  }} -> tensor<{full}>
  %s = linalg.generic {{indexing_maps = [{every}, {each}],
      iterator_types = ["parallel", "reduction"]}}
      ins(%a : tensor<{full}>) outs(%f : tensor<{row}>) {{
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  }} -> tensor<{row}>
  %c = linalg.generic {{indexing_maps = [{every}, {each}, {every}],
      iterator_types = ["parallel", "parallel"]}}
      ins(%a, %s : tensor<{full}>, tensor<{row}>) outs(%e : tensor<{full}>) {{
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %1 = arith.divf %sum, %n : f32
    %2 = arith.subf %in, %1 : f32
    linalg.yield %2 : f32
  }} -> tensor<{full}>
  %q = linalg.generic {{indexing_maps = [{every}, {each}],
      iterator_types = ["parallel", "reduction"]}}
      ins(%c : tensor<{full}>) outs(%f : tensor<{row}>) {{
  ^bb0(%in: f32, %out: f32):
    %1 = arith.mulf %in, %in : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  }} -> tensor<{row}>
  %r = linalg.generic {{indexing_maps = [{every}, {each}, {along}, {every}],
      iterator_types = ["parallel", "parallel"]}}
      ins(%c, %q, %g : tensor<{full}>, tensor<{row}>, tensor<{one}>)
      outs(%e : tensor<{full}>) {{
  ^bb0(%in: f32, %sum: f32, %scale: f32, %out: f32):
    %1 = arith.divf %sum, %n : f32
    %2 = arith.addf %1, %small : f32
    %3 = math.sqrt %2 : f32
    %4 = arith.divf %in, %3 : f32
    %5 = arith.mulf %4, %scale : f32
    linalg.yield %5 : f32
  }} -> tensor<{full}>
  return %r : tensor<{full}>
}}
"""
    x, z = numbers(rows * width, 8), numbers(rows * width, 9)
    g = numbers(width, 10)
    expected = []
    for i in range(rows):
        row = [x[i * width + j] + z[i * width + j] for j in range(width)]
        mean = math.fsum(row) / width
        row = [value - mean for value in row]
        scale = math.sqrt(math.fsum(value * value for value in row) / width + 1e-5)
        expected += [value / scale * g[j] for j, value in enumerate(row)]
    check("norm", text, [((rows, width), x), ((rows, width), z), ((width,), g)],
          expected)


# All rows of a head at once; two dimensions of heads, with a mask each; blocks of
# rows that leave some; one row.
check_attention("heads", 1, 4, 37, 40, 8, 1)
check_attention("batches", 2, 3, 19, 33, 5, 2)
check_attention("blocks", 1, 2, 67, 1100, 4, 1)
check_attention("one", 2, 3, 5, 9, 16, 1)
check_grouped(2, 3, 23, 23, 8)
check_softmax((1, 3, 100, 700))
check_norm(257, 640)
