// Kernels of equal structure become one. Each run keeps the identities that the
// ops of its own kernel had; those of the shared kernel have all.

// RUN: %mlir-prof-opt --share-dispatches --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s
// A second time it changes nothing.
// RUN: %mlir-prof-opt --share-dispatches --mlir-print-debuginfo %s -o %t.once
// RUN: %mlir-prof-opt --share-dispatches --mlir-print-debuginfo %t.once | diff %t.once -

// The constant does not have an identity, the body of the sum does.
// CHECK-LABEL: func.func private @first
// CHECK: arith.addf {{.*}} loc(fused[fused<{prof = 4 : i32}>["a"], fused<{prof = 14 : i32}>["d"]])
// CHECK: linalg.yield {{.*}} loc(fused[fused<{prof = 5 : i32}>["b"], fused<{prof = 15 : i32}>["e"]])
// CHECK: return {{.*}} loc(fused[fused<{prof = 7 : i32}>["r"], fused<{prof = 17 : i32}>["r"]])
func.func private @first(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32>
    attributes {dispatch.kernel} {
  %c = arith.constant 1.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %c : f32 loc(fused<{prof = 4 : i32}>["a"])
    linalg.yield %1 : f32 loc(fused<{prof = 5 : i32}>["b"])
  } -> tensor<4xf32> loc(fused<{prof = 6 : i32}>["c"])
  return %0 : tensor<4xf32> loc(fused<{prof = 7 : i32}>["r"])
}
// CHECK-NOT: @second
func.func private @second(%in: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32>
    attributes {dispatch.kernel} {
  %c = arith.constant 1.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%in : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %c : f32 loc(fused<{prof = 14 : i32}>["d"])
    linalg.yield %1 : f32 loc(fused<{prof = 15 : i32}>["e"])
  } -> tensor<4xf32> loc(fused<{prof = 16 : i32}>["f"])
  return %0 : tensor<4xf32> loc(fused<{prof = 17 : i32}>["r"])
}

// Another constant, another choice, and another kind of op.
// CHECK: func.func private @other_constant
func.func private @other_constant(%in: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32>
    attributes {dispatch.kernel} {
  %c = arith.constant 2.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%in : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %c : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK: func.func private @other_choice
func.func private @other_choice(%in: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32>
    attributes {dispatch.kernel} {
  %c = arith.constant 1.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%in : tensor<4xf32>) outs(%out : tensor<4xf32>)
      attrs = {mlirprof.choice = {threads = {count = "1"}}} {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %c : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK: func.func private @other_operand
func.func private @other_operand(%in: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32>
    attributes {dispatch.kernel} {
  %c = arith.constant 1.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%in : tensor<4xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %c : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @main
// CHECK: dispatch.run @first {{.*}} {instance = 0 : i32, origins = [array<i32: 6>, array<i32: 4>, array<i32: 5>, array<i32: 7>]}
// CHECK: dispatch.run @first {{.*}} {instance = 1 : i32, origins = [array<i32: 16>, array<i32: 14>, array<i32: 15>, array<i32: 17>]}
// CHECK: dispatch.run @other_constant {{.*}} {instance = 2 : i32}
// CHECK: dispatch.run @other_choice {{.*}} {instance = 3 : i32}
// CHECK: dispatch.run @other_operand {{.*}} {instance = 4 : i32}
func.func @main(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %0 = dispatch.run @first ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = dispatch.run @second ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = dispatch.run @other_constant ins(%1 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %3 = dispatch.run @other_choice ins(%2 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %4 = dispatch.run @other_operand ins(%3 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}
