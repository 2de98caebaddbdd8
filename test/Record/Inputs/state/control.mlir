// Variables in loops, branches, blocks and calls; swapped; read after a store; the old value returned.
module {
  ml_program.global private mutable @a(dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : tensor<4xf32>
  ml_program.global private mutable @b(dense<[0.5, 0.25, 0.125, 0.0625]> : tensor<4xf32>) : tensor<4xf32>
  ml_program.global private mutable @count(7 : i32) : i32
  ml_program.global private @scale(dense<2.0> : tensor<4xf32>) : tensor<4xf32>
  ml_program.global private mutable @never(dense<[1.0, 0.0, 1.0, 0.0]> : tensor<4xf32>) : tensor<4xf32>
  ml_program.global private mutable @fresh : tensor<4xf32>

  // Exchanges both variables.
  func.func private @swap() attributes {no_inline} {
    %a = ml_program.global_load @a : tensor<4xf32>
    %b = ml_program.global_load @b : tensor<4xf32>
    ml_program.global_store @a = %b : tensor<4xf32>
    ml_program.global_store @b = %a : tensor<4xf32>
    return
  }
  // Adds x to @count by recursion, and 1 to @a in each step.
  func.func private @climb(%x: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %more = arith.cmpi sgt, %x, %zero : i32
    cf.cond_br %more, ^step, ^end
  ^step:
    %count = ml_program.global_load @count : i32
    %next = arith.addi %count, %one : i32
    ml_program.global_store @count = %next : i32
    %a = ml_program.global_load @a : tensor<4xf32>
    %ones = arith.constant dense<1.0> : tensor<4xf32>
    %sum = arith.addf %a, %ones : tensor<4xf32>
    ml_program.global_store @a = %sum : tensor<4xf32>
    %less = arith.subi %x, %one : i32
    func.call @climb(%less) : (i32) -> ()
    cf.br ^end
  ^end:
    return
  }
  func.func @main(%x: tensor<4xf32>, %flag: i1, %steps: i32) -> (tensor<4xf32>, tensor<4xf32>, i32, tensor<4xf32>) {
    %old = ml_program.global_load @a : tensor<4xf32>
    func.call @swap() : () -> ()
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      %a = ml_program.global_load @a : tensor<4xf32>
      %scale = ml_program.global_load_const @scale : tensor<4xf32>
      %product = arith.mulf %a, %scale : tensor<4xf32>
      %sum = arith.addf %product, %x : tensor<4xf32>
      ml_program.global_store @a = %sum : tensor<4xf32>
      scf.if %flag {
        %b = ml_program.global_load @b : tensor<4xf32>
        %n = ml_program.global_load @never : tensor<4xf32>
        %more = arith.addf %b, %n : tensor<4xf32>
        ml_program.global_store @b = %more : tensor<4xf32>
      }
    }
    scf.while : () -> () {
      %count = ml_program.global_load @count : i32
      %limit = arith.constant 20 : i32
      %less = arith.cmpi slt, %count, %limit : i32
      scf.condition(%less)
    } do {
      %count = ml_program.global_load @count : i32
      %two = arith.constant 2 : i32
      %next = arith.addi %count, %two : i32
      ml_program.global_store @count = %next : i32
      scf.yield
    }
    func.call @climb(%steps) : (i32) -> ()
    %fresh = ml_program.global_load @fresh : tensor<4xf32>
    %count = ml_program.global_load @count : i32
    %b = ml_program.global_load @b : tensor<4xf32>
    %freshSum = arith.addf %fresh, %b : tensor<4xf32>
    ml_program.global_store @fresh = %freshSum : tensor<4xf32>
    %a = ml_program.global_load @a : tensor<4xf32>
    return %old, %a, %count, %freshSum : tensor<4xf32>, tensor<4xf32>, i32, tensor<4xf32>
  }
}
