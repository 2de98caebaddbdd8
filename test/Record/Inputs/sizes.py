"""Writes a model whose layers are alike except for sizes."""

SHAPES = [(7, 72), (12, 136), (40, 64), (64, 128), (33, 41), (17, 57)]

MAPS = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (j)>", "affine_map<(i, j) -> (i)>"


def write_layer(rows: int, columns: int, number: int) -> str:
    """A scale by columns, sums of rows and columns, and a border of zeros."""
    whole, line, sums = f"{rows}x{columns}xf32", f"{columns}xf32", f"{rows}xf32"
    wide = f"{rows + 2}x{columns}xf32"
    both, last, first = MAPS
    generic = 'iterator_types = ["parallel", "parallel"]'
    return f"""
  %e{number} = tensor.empty() : tensor<{whole}>
  %s{number} = linalg.generic {{indexing_maps = [{both}, {last}, {both}], {generic}}}
      ins(%x{number}, %y{number} : tensor<{whole}>, tensor<{line}>)
      outs(%e{number} : tensor<{whole}>) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %p, %b : f32
    %r = math.absf %q : f32
    linalg.yield %r : f32
  }} -> tensor<{whole}>
  %f{number} = tensor.empty() : tensor<{sums}>
  %z{number} = linalg.fill ins(%zero : f32) outs(%f{number} : tensor<{sums}>) -> tensor<{sums}>
  %t{number} = linalg.generic {{indexing_maps = [{both}, {first}],
                                iterator_types = ["parallel", "reduction"]}}
      ins(%x{number} : tensor<{whole}>) outs(%z{number} : tensor<{sums}>) {{
  ^bb0(%a: f32, %o: f32):
    %p = arith.addf %a, %o : f32
    linalg.yield %p : f32
  }} -> tensor<{sums}>
  %g{number} = tensor.empty() : tensor<{line}>
  %u{number} = linalg.fill ins(%zero : f32) outs(%g{number} : tensor<{line}>) -> tensor<{line}>
  %v{number} = linalg.generic {{indexing_maps = [{both}, {last}],
                                iterator_types = ["reduction", "parallel"]}}
      ins(%x{number} : tensor<{whole}>) outs(%u{number} : tensor<{line}>) {{
  ^bb0(%a: f32, %o: f32):
    %p = arith.maximumf %a, %o : f32
    linalg.yield %p : f32
  }} -> tensor<{line}>
  %w{number} = tensor.pad %s{number} low[1, 0] high[1, 0] {{
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  }} : tensor<{whole}> to tensor<{wide}>"""


def main() -> None:
    """Prints the model."""
    layers = list(enumerate(SHAPES))
    arguments = ", ".join(f"%x{i}: tensor<{r}x{c}xf32>, %y{i}: tensor<{c}xf32>" for i, (r, c) in layers)
    types = ", ".join(f"tensor<{r + 2}x{c}xf32>, tensor<{r}xf32>, tensor<{c}xf32>" for i, (r, c) in layers)
    print(f"func.func @main({arguments}) -> ({types}) {{\n  %zero = arith.constant 0.0 : f32")
    for number, (rows, columns) in layers:
        print(write_layer(rows, columns, number))
    values = ", ".join(f"%w{i}, %t{i}, %v{i}" for i, _ in layers)
    print(f"  return {values} : {types}\n}}")


main()
