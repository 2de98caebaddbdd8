"""Functions of very different lengths, so that threads end in another order than
they begin."""

for number in range(64):
    print(f"func.func @f{number}(%x: f32) -> f32 {{")
    value = "%x"
    for line in range(400 if number % 4 == 0 else 2):
        print(f"  %{line} = arith.addf {value}, %x : f32")
        value = f"%{line}"
    print(f"  return {value} : f32\n}}")
