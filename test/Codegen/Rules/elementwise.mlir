// RUN: %mlir-prof-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(cpu-apply-rules,canonicalize,cse,loop-invariant-code-motion))' | FileCheck %s

// A dynamic length: whole vectors four at a time, whole vectors, a masked rest.
// What is the same in all lanes is computed once, as a scalar.

// CHECK-LABEL: func @scale(
// CHECK: cpu.nest {{.*}} attributes {reads_outputs} {
// CHECK-NEXT: ^bb0(%[[ROW:.*]]: memref<9xf32>, %{{.*}}: memref<9x?xf32>):
// CHECK: scf.for {{.*}} step %c1
// CHECK: %[[S:.*]] = memref.load %[[ROW]]
// CHECK: %[[R:.*]] = math.rsqrt %[[S]] : f32
// CHECK: vector.broadcast %[[R]] : f32 to vector<16xf32>
// CHECK: scf.for {{.*}} step %c64
// CHECK-COUNT-4: vector.transfer_write
// CHECK: scf.for {{.*}} step %c16
// CHECK: vector.transfer_write
// CHECK: scf.for {{.*}} step %c16
// CHECK: %[[MASK:.*]] = vector.create_mask
// CHECK: vector.transfer_read {{.*}}, %[[MASK]] {in_bounds
// CHECK: vector.transfer_write {{.*}}, %[[MASK]] {in_bounds
func.func @scale(%x: tensor<9x?xf32>, %row: tensor<9xf32>) -> tensor<9x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%row : tensor<9xf32>) outs(%x : tensor<9x?xf32>) {
    ^bb0(%s: f32, %o: f32):
      %a = math.rsqrt %s : f32
      %y = arith.mulf %o, %a : f32
      linalg.yield %y : f32
  } -> tensor<9x?xf32>
  return %r : tensor<9x?xf32>
}

// -----

// Ops that vectors cannot hold stay as they are: bits (a byte each in memory),
// look-ups, and numbers of odd widths.

// CHECK-LABEL: func @left(
// CHECK: linalg.generic
// CHECK: arith.cmpf
// CHECK: linalg.generic
// CHECK: tensor.extract
// CHECK: linalg.generic
// CHECK: arith.addi
// CHECK-NOT: vector
func.func @left(%x: tensor<40xf32>, %table: tensor<9xf32>, %bits: tensor<40xi1>, %odd: tensor<40xi7>, %init: tensor<40xf32>) -> (tensor<40xi1>, tensor<40xf32>, tensor<40xi7>) {
  %zero = arith.constant 0.0 : f32
  %a = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<40xf32>) outs(%bits : tensor<40xi1>) {
    ^bb0(%in: f32, %o: i1):
      %c = arith.cmpf ogt, %in, %zero : f32
      linalg.yield %c : i1
  } -> tensor<40xi1>
  %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%init : tensor<40xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 0 : index
      %nine = arith.constant 9 : index
      %j = arith.remui %i, %nine : index
      %v = tensor.extract %table[%j] : tensor<9xf32>
      linalg.yield %v : f32
  } -> tensor<40xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%odd : tensor<40xi7>) {
    ^bb0(%o: i7):
      %s = arith.addi %o, %o : i7
      linalg.yield %s : i7
  } -> tensor<40xi7>
  return %a, %b, %c : tensor<40xi1>, tensor<40xf32>, tensor<40xi7>
}
