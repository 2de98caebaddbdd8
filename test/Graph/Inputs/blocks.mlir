module @outer {
  memref.global "private" constant @weights : memref<64xf32> = dense<1.0>
  module @kernels {
    func.func @helper(%x: memref<64xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      cf.br ^loop(%c0 : index)
    ^loop(%i: index):
      %more = arith.cmpi slt, %i, %c64 : index
      cf.cond_br %more, ^body, ^done
    ^body:
      %v = memref.load %x[%i] : memref<64xf32>
      %w = arith.mulf %v, %v : f32
      memref.store %w, %x[%i] : memref<64xf32>
      %n = arith.addi %i, %c1 : index
      cf.br ^loop(%n : index)
    ^done:
      return
    }
  }
  func.func @scale(%x: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %w = memref.get_global @weights : memref<64xf32>
    scf.for %i = %c0 to %c64 step %c1 {
      %v = memref.load %w[%i] : memref<64xf32> loc("net/scale/mul")
      %p = arith.negf %v : f32 loc("net/scale/inner/neg")
      memref.store %p, %x[%i] : memref<64xf32> loc("net/scale/mul")
    } loc("net/scale/mul")
    return
  }
  func.func @main(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
    %r = scf.if %c -> tensor<4xf32> {
      %a = math.absf %x : tensor<4xf32>
      scf.yield %a : tensor<4xf32>
    } else {
      %b = math.exp %x : tensor<4xf32>
      scf.yield %b : tensor<4xf32>
    }
    %s = arith.addf %r, %r : tensor<4xf32>
    return %s : tensor<4xf32>
  }
}
