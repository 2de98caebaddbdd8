"""Writes a module of prepared products for the schedule to take.

Sums of products as the preparation leaves them: factors in panels (n floordiv
p, n mod p), batches, transposed operands, rows of a size known only when it
runs, sizes that are multiples of nothing, and what follows a product. Every
function is called on small integers, and what it returns is printed.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "lib"))
import model_of_many_ops as model

model.DYNAMIC_SIZE = 21
SUM = "      %p = arith.mulf %x0, %x1 : f32\n      %y = arith.addf %o, %p : f32\n      linalg.yield %y : f32\n"
WIDE = {
    "f32": "",
    "bf16": "      %w{0} = arith.extf %x{0} : bf16 to f32\n",
    "i8": "      %w{0} = arith.extsi %x{0} : i8 to i32\n",
}


def product(element):
    """The body of a product of two operands of `element`."""
    if element == "f32":
        return SUM
    kind = "i" if element == "i8" else "f"
    wide = "i32" if element == "i8" else "f32"
    return (
        WIDE[element].format(0)
        + WIDE[element].format(1)
        + f"      %p = arith.mul{kind} %w0, %w1 : {wide}\n"
        f"      %y = arith.add{kind} %o, %p : {wide}\n"
        f"      linalg.yield %y : {wide}\n"
    )


def matmul(rows, columns, depth, panel, element="f32"):
    """A product whose second factor is in panels, or by rows (`panel` 0)."""
    if panel:
        shape = [-(-columns // panel), depth, panel]
        access = f"d1 floordiv {panel}, d2, d1 mod {panel}"
    else:
        shape, access = [depth, columns], "d2, d1"
    inputs, output, text = model.generic(
        [([rows, depth], element), (shape, element)],
        ([rows, columns], "i32" if element == "i8" else "f32"),
        ["d0, d2", access, "d0, d1"],
        "ppr",
        product(element),
    )
    if rows is None:
        # The size of an argument, which nothing folds.
        text = text.replace(
            f"%n0 = arith.constant {model.DYNAMIC_SIZE} : index",
            "%first = arith.constant 0 : index\n"
            f"    %n0 = tensor.dim %a0, %first : {model.tensor(*inputs[0])}",
        )
    return inputs, output, text


def follow(case):
    """Adds a bias to what `case` makes, and cuts off what is negative."""
    inputs, output, text = case
    rows, columns = output[0]
    result, bias = model.tensor(*output), f"tensor<{columns}xf32>"
    text += (
        f"    %other = tensor.empty({'%n0' if rows is None else ''}) : {result}\n"
        "    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, "
        "affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], "
        'iterator_types = ["parallel", "parallel"]} '
        f"ins(%r, %a2 : {result}, {bias}) outs(%other : {result}) {{\n"
        "    ^bb0(%x: f32, %b: f32, %o: f32):\n"
        "      %none = arith.constant 0.0 : f32\n"
        "      %w = arith.addf %x, %b : f32\n"
        "      %y = arith.maximumf %w, %none : f32\n      linalg.yield %y : f32\n"
        f"    }} -> {result}\n"
    )
    return inputs + [([columns], "f32")], output, text + "RETURN %s"


def products():
    for rows in [1, 7, 8, 77, None]:
        for columns, panel in [(64, 32), (96, 32), (100, 32), (13, 0), (197, 0), (5, 16)]:
            yield matmul(rows, columns, 9, panel)
            yield follow(matmul(rows, columns, 9, panel))
    for element in ["i8", "bf16"]:
        yield matmul(19, 96, 10, 32, element)
        yield matmul(19, 77, 10, 0, element)
    # One row and many columns; a deep sum.
    yield matmul(1, 1000, 200, 64)


def batches():
    for rows, columns in [(16, 64), (77, 77), (5, 33)]:
        for right in ["d0, d3, d2", "d0, d2, d3"]:
            size = {"d0": 3, "d1": rows, "d2": columns, "d3": 11}
            shape = [size[dim] for dim in right.split(", ")]
            yield model.generic(
                [([3, rows, 11], "f32"), (shape, "f32")],
                ([3, rows, columns], "f32"),
                ["d0, d1, d3", right, "d0, d1, d2"],
                "pppr",
                SUM,
            )


def rows_of_softmax():
    for columns in [64, 77, 197, 1000]:
        for combine in ["addf", "maximumf"]:
            body = f"      %y = arith.{combine} %x0, %o : f32\n      linalg.yield %y : f32\n"
            yield model.generic(
                [([6, columns], "f32")], ([6], "f32"), ["d0, d1", "d0"], "pr", body
            )
        body = "      %y = arith.subf %x0, %x1 : f32\n      linalg.yield %y : f32\n"
        yield model.generic(
            [([6, columns], "f32"), ([6], "f32")],
            ([6, columns], "f32"),
            ["d0, d1", "d0", "d0, d1"],
            "pp",
            body,
        )


def transposes():
    body = "      linalg.yield %x0 : f32\n"
    for rows, columns in [(32, 32), (77, 40), (5, 197)]:
        yield model.generic(
            [([columns, rows], "f32")], ([rows, columns], "f32"), ["d1, d0", "d0, d1"], "pp", body
        )


model.windows = products
model.sums = batches
model.pointwise = rows_of_softmax
model.epilogues = transposes
model.main()
