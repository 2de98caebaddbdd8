"""Writes a module that calls many small functions and prints what they return.

Every function holds one structured op whose shape is awkward for vectors: prime
sizes, sizes of one, strides, dynamic dimensions, several number types. All
numbers are small integers, whatever their type, so that no order of summing
rounds and two compilations must print the same.
"""

PRINTERS = {"f32": "F32", "f64": "F64", "i32": "I32", "i64": "I64"}
DYNAMIC_SIZE = 7


def tensor(shape, element):
    dims = "".join(("?" if size is None else str(size)) + "x" for size in shape)
    return f"tensor<{dims}{element}>"


def zero(element):
    return "0.0" if element[0] in "fb" else "0"


def generic(inputs, output, maps, iterators, body, start=None):
    """A linalg.generic on `inputs` and `output`, pairs of shape and element."""
    loops = ", ".join(f"d{i}" for i in range(len(iterators)))
    maps = ", ".join(f"affine_map<({loops}) -> ({m})>" for m in maps)
    kinds = ", ".join('"parallel"' if i == "p" else '"reduction"' for i in iterators)
    result = tensor(*output)
    sizes = []
    text = ""
    for index, size in enumerate(output[0]):
        if size is None:
            text += f"    %n{index} = arith.constant {DYNAMIC_SIZE} : index\n"
            sizes.append(f"%n{index}")
    text += f"    %empty = tensor.empty({', '.join(sizes)}) : {result}\n"
    start = zero(output[1]) if start is None else start
    text += f"    %start = arith.constant {start} : {output[1]}\n"
    text += (
        f"    %init = linalg.fill ins(%start : {output[1]}) "
        f"outs(%empty : {result}) -> {result}\n"
    )
    names = ", ".join(f"%a{i}" for i in range(len(inputs)))
    types = ", ".join(tensor(*i) for i in inputs)
    arguments = [f"%x{i}: {element}" for i, (_, element) in enumerate(inputs)]
    text += (
        f"    %r = linalg.generic {{indexing_maps = [{maps}], "
        f"iterator_types = [{kinds}]}} ins({names} : {types}) "
        f"outs(%init : {result}) {{\n"
        f"    ^bb0({', '.join(arguments + ['%o: ' + output[1]])}):\n"
        f"{body}    }} -> {result}\n"
    )
    return inputs, output, text


def named(op, inputs, output, attributes, start=None):
    result = tensor(*output)
    start = zero(output[1]) if start is None else start
    types = ", ".join(tensor(*i) for i in inputs)
    names = ", ".join(f"%a{i}" for i in range(len(inputs)))
    text = (
        f"    %empty = tensor.empty() : {result}\n"
        f"    %start = arith.constant {start} : {output[1]}\n"
        f"    %init = linalg.fill ins(%start : {output[1]}) "
        f"outs(%empty : {result}) -> {result}\n"
        f"    %r = linalg.{op} {attributes} ins({names} : {types}) "
        f"outs(%init : {result}) -> {result}\n"
    )
    return inputs, output, text


def windows():
    for h, w, c, f, k, stride, dilation in [
        (9, 13, 5, 7, 3, 1, 1),
        (12, 11, 4, 33, 3, 2, 1),
        (5, 17, 3, 48, 2, 1, 2),
        (7, 40, 2, 1, 1, 3, 1),
    ]:
        oh = (h - (k - 1) * dilation - 1) // stride + 1
        ow = (w - (k - 1) * dilation - 1) // stride + 1
        attributes = (
            f"{{strides = dense<{stride}> : tensor<2xi64>, "
            f"dilations = dense<{dilation}> : tensor<2xi64>}}"
        )
        for element, sums in [("f32", "f32"), ("i8", "i32")]:
            yield named(
                "conv_2d_nhwc_hwcf",
                [([2, h, w, c], element), ([k, k, c, f], element)],
                ([2, oh, ow, f], sums),
                attributes,
            )
            yield named(
                "conv_2d_nchw_fchw",
                [([1, c, h, w], element), ([f, c, k, k], element)],
                ([1, f, oh, ow], sums),
                attributes,
            )
            yield named(
                "depthwise_conv_2d_nhwc_hwc",
                [([1, h, w, f], element), ([k, k, f], element)],
                ([1, oh, ow, f], sums),
                attributes,
            )
        yield named(
            "conv_2d_ngchw_gfchw",
            [([1, 3, c, h, w], "f32"), ([3, f, c, k, k], "f32")],
            ([1, 3, f, oh, ow], "f32"),
            attributes,
        )
        for kind, start in [("max", "-99.0"), ("sum", "0.0")]:
            for op, image, pooled in [
                ("nhwc", [1, h, w, f], [1, oh, ow, f]),
                ("nchw", [2, c, h, w], [2, c, oh, ow]),
            ]:
                yield named(
                    f"pooling_{op}_{kind}",
                    [(image, "f32"), ([k, k], "f32")],
                    (pooled, "f32"),
                    attributes,
                    start,
                )


def sums():
    for rows, columns in [(1, 5), (7, 2), (5, 16), (3, 101), (None, 37)]:
        image = [rows, columns]
        for element, add in [("f32", "addf"), ("f64", "maximumf"), ("i32", "xori"), ("i64", "maxsi")]:
            body = (
                f"      %y = arith.{add} %x0, %o : {element}\n"
                f"      linalg.yield %y : {element}\n"
            )
            operand = [(image, element)]
            yield generic(operand, ([rows], element), ["d0, d1", "d0"], "pr", body)
            yield generic(operand, ([columns], element), ["d0, d1", "d1"], "rp", body)
            yield generic(operand, ([], element), ["d0, d1", ""], "rr", body)
    # Not to be reordered.
    body = (
        "      %half = arith.constant 2.0 : f32\n"
        "      %y = arith.mulf %o, %half : f32\n"
        "      %z = arith.subf %x0, %y : f32\n      linalg.yield %z : f32\n"
    )
    yield generic([([5, 9], "f32")], ([5], "f32"), ["d0, d1", "d0"], "pr", body)


def pointwise():
    for rows, columns in [(1, 1), (1, 5), (7, 2), (13, 129), (64, 64), (None, 37)]:
        image = [rows, columns]
        for element, add in [("f32", "addf"), ("f64", "mulf"), ("i32", "subi")]:
            body = (
                f"      %y = arith.{add} %x0, %x1 : {element}\n"
                f"      linalg.yield %y : {element}\n"
            )
            yield generic(
                [(image, element), ([columns], element)],
                (image, element),
                ["d0, d1", "d1", "d0, d1"],
                "pp",
                body,
            )
        copy = "      linalg.yield %x0 : f32\n"
        yield generic(
            [(image, "f32")], (image[::-1], "f32"), ["d1, d0", "d0, d1"], "pp", copy
        )
        mixed = (
            "      %i = linalg.index 1 : index\n"
            "      %j = arith.index_cast %i : index to i32\n"
            "      %w = arith.extsi %x0 : i8 to i32\n"
            "      %c = arith.cmpi slt, %w, %j : i32\n"
            "      %y = arith.select %c, %w, %j : i32\n"
            "      linalg.yield %y : i32\n"
        )
        yield generic(
            [(image, "i8")], (image, "i32"), ["d0, d1", "d0, d1"], "pp", mixed
        )
    copy = "      linalg.yield %x0 : f32\n"
    yield generic(
        [([2, 3, 5, 9], "f32")],
        ([9, 2, 5, 3], "f32"),
        ["d1, d3, d2, d0", "d0, d1, d2, d3"],
        "pppp",
        copy,
    )
    yield generic([([8], "f32")], ([40], "f32"), ["d0 mod 8", "d0"], "p", copy)
    yield generic([([9, 9], "f32")], ([9], "f32"), ["d0, d0", "d0"], "p", copy)
    # A bit is a byte in memory, but not in a vector.
    choose = (
        "      %y = arith.select %x0, %x1, %o : f32\n      linalg.yield %y : f32\n"
    )
    yield generic(
        [([5, 20], "i1"), ([5, 20], "f32")],
        ([5, 20], "f32"),
        ["d0, d1"] * 3,
        "pp",
        choose,
    )


def epilogues():
    """A product whose result is read in another order of dimensions."""
    product = (
        "      %y = arith.mulf %x0, %x1 : f32\n"
        "      %z = arith.addf %y, %o : f32\n      linalg.yield %z : f32\n"
    )
    for order in [(0, 1, 2), (1, 0, 2), (1, 2, 0), (2, 1, 0)]:
        shape = [4, 5, 37]
        inputs, _, text = generic(
            [([4, 9], "f32"), ([9, 5, 37], "f32"), ([37], "f32")],
            (shape, "f32"),
            ["d0, d3", "d3, d1, d2", "d2", "d0, d1, d2"],
            "pppr",
            product,
        )
        result = tensor([shape[i] for i in order], "f32")
        stored = ", ".join(f"d{i}" for i in order)
        text += (
            f"    %other = tensor.empty() : {result}\n"
            "    %s = linalg.generic {indexing_maps = "
            "[affine_map<(d0, d1, d2) -> (d0, d1, d2)>, "
            "affine_map<(d0, d1, d2) -> (d2)>, "
            f"affine_map<(d0, d1, d2) -> ({stored})>], iterator_types = "
            '["parallel", "parallel", "parallel"]} '
            "ins(%r, %a2 : tensor<4x5x37xf32>, tensor<37xf32>) "
            f"outs(%other : {result}) {{\n"
            "    ^bb0(%x: f32, %b: f32, %o: f32):\n"
            "      %y = arith.addf %x, %b : f32\n      linalg.yield %y : f32\n"
            f"    }} -> {result}\n"
        )
        output = ([shape[i] for i in order], "f32")
        yield inputs, output, text + "RETURN %s"


def make_input(name, shape, element):
    """A tensor of integers from -5 to 5."""
    indices = [f"%{name}_{i}" for i in range(len(shape))]
    sizes = "%seven" if None in shape else ""
    text = f"    %{name} = tensor.generate {sizes} {{\n"
    text += f"    ^bb0({', '.join(i + ': index' for i in indices)}):\n"
    text += f"      %sum0 = arith.constant {len(shape)} : index\n"
    for step, index in enumerate(indices):
        text += f"      %k{step} = arith.constant {[7, 3, 5, 2, 9][step]} : index\n"
        text += f"      %m{step} = arith.muli {index}, %k{step} : index\n"
        text += f"      %sum{step + 1} = arith.addi %sum{step}, %m{step} : index\n"
    text += "      %eleven = arith.constant 11 : index\n"
    text += "      %five = arith.constant 5 : i32\n"
    text += f"      %mod = arith.remui %sum{len(shape)}, %eleven : index\n"
    text += "      %int = arith.index_cast %mod : index to i32\n"
    text += "      %v = arith.subi %int, %five : i32\n"
    if element[0] in "fb":
        text += f"      %e = arith.sitofp %v : i32 to {element}\n"
    elif element == "i64":
        text += "      %e = arith.extsi %v : i32 to i64\n"
    elif element == "i32":
        text += "      %zero = arith.constant 0 : i32\n"
        text += "      %e = arith.addi %v, %zero : i32\n"
    else:
        text += f"      %e = arith.trunci %v : i32 to {element}\n"
    return text + f"      tensor.yield %e : {element}\n    }} : {tensor(shape, element)}\n"


def main():
    cases = [*windows(), *sums(), *pointwise(), *epilogues()]
    for element, printer in PRINTERS.items():
        print(f"func.func private @printMemref{printer}(tensor<*x{element}>)")
    calls = ""
    for number, (inputs, output, text) in enumerate(cases):
        text, _, value = text.partition("RETURN ")
        parameters = ", ".join(f"%a{i}: {tensor(*t)}" for i, t in enumerate(inputs))
        result = tensor(*output)
        print(f"func.func private @f{number}({parameters}) -> {result} attributes {{no_inline}} {{")
        print(f"{text}    return {value or '%r'} : {result}\n  }}")
        for i, (shape, element) in enumerate(inputs):
            calls += make_input(f"v{number}_{i}", shape, element)
        names = ", ".join(f"%v{number}_{i}" for i in range(len(inputs)))
        types = ", ".join(tensor(*i) for i in inputs)
        calls += f"    %r{number} = func.call @f{number}({names}) : ({types}) -> {result}\n"
        calls += f"    %u{number} = tensor.cast %r{number} : {result} to tensor<*x{output[1]}>\n"
        calls += f"    func.call @printMemref{PRINTERS[output[1]]}(%u{number}) : (tensor<*x{output[1]}>) -> ()\n"
    print(f"func.func @main() {{\n    %seven = arith.constant {DYNAMIC_SIZE} : index\n{calls}    return\n  }}")


if __name__ == "__main__":
    main()
