"""A module with an op that was fused from 200 others, which have identities."""

print("func.func @f(%x: f32) -> f32 {")
value = "%x"
for number in range(200):
    print(f'  %{number} = arith.addf {value}, %x : f32 loc("op{number}")')
    value = f"%{number}"
parts = ", ".join(f'fused<{{prof = {n} : i32}}>["op{n}"]' for n in range(1, 201))
print(f"  %last = arith.mulf {value}, %x : f32 loc(fused[{parts}])")
print("  return %last : f32\n}")
