// RUN: not %mlir-prof-opt %s --cpu-lower-loops 2>&1 | FileCheck %s

// An scf.forall that shares tensors has no form of branches.
// CHECK: error: 'scf.{{.*}}' op cannot be lowered to branches
func.func @shared(%t: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 1.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  %y = tensor.insert %r into %t[%c0] : tensor<4xf32>
  %z = scf.forall (%i) in (4) shared_outs(%o = %y) -> tensor<4xf32> {
    %e = tensor.extract_slice %o[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %z : tensor<4xf32>
}
