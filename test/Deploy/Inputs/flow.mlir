// Branches, loops and a call on the host side: `count` products of matrices, of
// which every second one adds the first matrix, then doublings while a number is
// above 3.
func.func private @twice(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<4x16xf32>
  %0 = linalg.add ins(%x, %x : tensor<4x16xf32>, tensor<4x16xf32>)
    outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

func.func @main(%x: tensor<4x16xf32>, %w: tensor<16x16xf32>, %count: tensor<i32>)
    -> (tensor<4x16xf32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %n = tensor.extract %count[] : tensor<i32>
  %times = arith.index_cast %n : i32 to index
  %y = scf.for %k = %c0 to %times step %c1 iter_args(%last = %x) -> tensor<4x16xf32> {
    %p = linalg.matmul ins(%last, %w : tensor<4x16xf32>, tensor<16x16xf32>)
      outs(%i : tensor<4x16xf32>) -> tensor<4x16xf32>
    %k32 = arith.index_cast %k : index to i32
    %bit = arith.andi %k32, %one : i32
    %odd = arith.cmpi eq, %bit, %one : i32
    %next = scf.if %odd -> tensor<4x16xf32> {
      %s = linalg.add ins(%p, %x : tensor<4x16xf32>, tensor<4x16xf32>)
        outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
      scf.yield %s : tensor<4x16xf32>
    } else {
      scf.yield %p : tensor<4x16xf32>
    }
    scf.yield %next : tensor<4x16xf32>
  }
  %left, %z = scf.while (%m = %n, %v = %y) : (i32, tensor<4x16xf32>)
      -> (i32, tensor<4x16xf32>) {
    %more = arith.cmpi sgt, %m, %three : i32
    scf.condition(%more) %m, %v : i32, tensor<4x16xf32>
  } do {
  ^bb0(%m: i32, %v: tensor<4x16xf32>):
    %less = arith.subi %m, %two : i32
    %twice = func.call @twice(%v) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    scf.yield %less, %twice : i32, tensor<4x16xf32>
  }
  %rest = tensor.from_elements %left : tensor<i32>
  return %z, %rest : tensor<4x16xf32>, tensor<i32>
}
