// Assertions that do not depend on all loops of an op are checked before it.

// RUN: %mlir-prof-opt %s --cpu-hoist-assertions --canonicalize --cse --split-input-file \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK-SAME: %{{.*}}: tensor<10x64xf32>, %[[I:.*]]: tensor<5xi64>
// CHECK: %[[ALL:.*]] = scf.for %[[N:.*]] = %c0 to %c5 step %c1 iter_args(%[[SO_FAR:.*]] = %true)
// CHECK-NEXT: %[[E:.*]] = tensor.extract %[[I]][%[[N]]]
// CHECK-NEXT: %[[LESS:.*]] = arith.cmpi ult, %[[E]], %c10_i64
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[SO_FAR]], %[[LESS]]
// CHECK-NEXT: scf.yield %[[BOTH]]
// CHECK: cf.assert %[[ALL]], "too large"
// CHECK-NEXT: linalg.generic
// CHECK-NOT: cf.assert
// CHECK: return
func.func @rows(%t: tensor<10x64xf32>, %i: tensor<5xi64>) -> tensor<5x64xf32> {
  %c10 = arith.constant 10 : i64
  %e = tensor.empty() : tensor<5x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<5xi64>) outs(%e : tensor<5x64xf32>) {
  ^bb0(%n: i64, %o: f32):
    %less = arith.cmpi ult, %n, %c10 : i64
    cf.assert %less, "too large"
    %at = arith.index_cast %n : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%at, %j] : tensor<10x64xf32>
    linalg.yield %v : f32
  } -> tensor<5x64xf32>
  return %r : tensor<5x64xf32>
}

// -----

// The index of an index: its own is checked first. Rows may have no elements, and then
// nothing is checked.

// CHECK-LABEL: func.func @indirect
// CHECK: %[[RUNS:.*]] = arith.minui %{{.*}}, %c1
// CHECK: scf.for %{{.*}} = %c0 to %[[RUNS]]
// CHECK: scf.for
// CHECK: cf.assert %{{.*}}, "first"
// CHECK: scf.for %{{.*}} = %c0 to %[[RUNS]]
// CHECK: scf.for
// CHECK: %[[AT:.*]] = tensor.extract
// CHECK: tensor.extract %{{.*}}[
// CHECK: cf.assert %{{.*}}, "second"
// CHECK-NEXT: linalg.generic
func.func @indirect(%t: tensor<10x?xf32>, %k: tensor<7xindex>, %i: tensor<5xindex>,
                    %e: tensor<5x?xf32>) -> tensor<5x?xf32> {
  %c10 = arith.constant 10 : index
  %c7 = arith.constant 7 : index
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<5xindex>) outs(%e : tensor<5x?xf32>) {
  ^bb0(%n: index, %o: f32):
    %first = arith.cmpi ult, %n, %c7 : index
    cf.assert %first, "first"
    %at = tensor.extract %k[%n] : tensor<7xindex>
    %second = arith.cmpi ult, %at, %c10 : index
    cf.assert %second, "second"
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%at, %j] : tensor<10x?xf32>
    linalg.yield %v : f32
  } -> tensor<5x?xf32>
  return %r : tensor<5x?xf32>
}

// -----

// An assertion about each element stays, and so do those behind it.

// CHECK-LABEL: func.func @elements
// CHECK-NOT: scf.for
// CHECK: linalg.generic
// CHECK: cf.assert %{{.*}}, "element"
// CHECK: cf.assert %{{.*}}, "row"
func.func @elements(%t: tensor<10xf32>, %i: tensor<5x64xindex>) -> tensor<5x64xf32> {
  %c10 = arith.constant 10 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<5x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<5x64xindex>) outs(%e : tensor<5x64xf32>) {
  ^bb0(%n: index, %o: f32):
    %inside = arith.cmpi ult, %n, %c10 : index
    cf.assert %inside, "element"
    %row = linalg.index 0 : index
    %few = arith.cmpi ult, %row, %c3 : index
    cf.assert %few, "row"
    %v = tensor.extract %t[%n] : tensor<10xf32>
    linalg.yield %v : f32
  } -> tensor<5x64xf32>
  return %r : tensor<5x64xf32>
}

// -----

// Without iterations the body does not run.

// CHECK-LABEL: func.func @empty
// CHECK-NOT: scf.for
// CHECK: return
func.func @empty(%i: tensor<5xindex>) -> tensor<5x0xf32> {
  %c10 = arith.constant 10 : index
  %e = tensor.empty() : tensor<5x0xf32>
  %z = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<5xindex>) outs(%e : tensor<5x0xf32>) {
  ^bb0(%n: index, %o: f32):
    %inside = arith.cmpi ult, %n, %c10 : index
    cf.assert %inside, "element"
    linalg.yield %z : f32
  } -> tensor<5x0xf32>
  return %r : tensor<5x0xf32>
}
