// Accesses that may be outside get an assertion; those that are known to be inside do not.

// RUN: %mlir-prof-opt %s --cpu-check-accesses --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK: %[[AT:.*]] = arith.index_cast
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %{{.*}} : index
// CHECK-NEXT: cf.assert %[[IN]], "index is out of range for dimension 0 of size 10"
// CHECK-NEXT: tensor.extract %{{.*}}[%[[AT]],
// CHECK-NOT: cf.assert
// CHECK: tensor.extract %{{.*}}[%[[AT]],
// CHECK: return
func.func @rows(%t: tensor<10x64xf32>, %i: tensor<5xi64>) -> tensor<5x64xf32> {
  %e = tensor.empty() : tensor<5x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<5xi64>) outs(%e : tensor<5x64xf32>) {
  ^bb0(%n: i64, %o: f32):
    %at = arith.index_cast %n : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%at, %j] : tensor<10x64xf32>
    %w = tensor.extract %t[%at, %j] : tensor<10x64xf32>
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<5x64xf32>
  return %r : tensor<5x64xf32>
}

// -----

// The second dimension has the size of its loop.

// CHECK-LABEL: func.func @dynamic
// CHECK: cf.assert %{{.*}}, "index is out of range for dimension 0"
// CHECK-NOT: cf.assert
// CHECK: return
func.func @dynamic(%t: tensor<?x?xf32>, %i: tensor<?xi64>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %i, %c0 : tensor<?xi64>
  %m = tensor.dim %t, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>,
                                        affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<?xi64>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%k: i64, %o: f32):
    %at = arith.index_cast %k : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %t[%at, %j] : tensor<?x?xf32>
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @clamped
// CHECK-NOT: cf.assert
// CHECK: return
func.func @clamped(%t: tensor<10xf32>, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c9 = arith.constant 9 : i32
  %a = arith.maxsi %n, %c0 : i32
  %b = arith.minsi %a, %c9 : i32
  %at = arith.index_cast %b : i32 to index
  %v = tensor.extract %t[%at] : tensor<10xf32>
  return %v : f32
}

// -----

// Front ends assert themselves.

// CHECK-LABEL: func.func @asserted
// CHECK-COUNT-2: cf.assert
// CHECK-NOT: cf.assert
// CHECK: return
func.func @asserted(%t: tensor<10xf32>, %n: i64) -> f32 {
  %c0 = arith.constant 0 : i64
  %c10 = arith.constant 10 : i64
  %less = arith.cmpi slt, %n, %c10 : i64
  cf.assert %less, "too large"
  %positive = arith.cmpi sge, %n, %c0 : i64
  cf.assert %positive, "negative"
  %at = arith.index_cast %n : i64 to index
  %v = tensor.extract %t[%at] : tensor<10xf32>
  return %v : f32
}

// -----

// An assertion in a branch says nothing about what follows.

// CHECK-LABEL: func.func @branch
// CHECK: scf.if
// CHECK: cf.assert %{{.*}}, "too large"
// CHECK: cf.assert %{{.*}}, "index is out of range for dimension 0 of size 10"
// CHECK-NEXT: tensor.extract
func.func @branch(%t: tensor<10xf32>, %n: index, %c: i1) -> f32 {
  %c10 = arith.constant 10 : index
  scf.if %c {
    %less = arith.cmpi ult, %n, %c10 : index
    cf.assert %less, "too large"
  }
  %v = tensor.extract %t[%n] : tensor<10xf32>
  return %v : f32
}

// -----

// A model may claim that a sum does not overflow.

// CHECK-LABEL: func.func @claim
// CHECK: arith.addi %{{.*}}, %{{.*}} : i64
// CHECK: cf.assert
func.func @claim(%t: tensor<10xf32>, %n: i64) -> f32 {
  %c0 = arith.constant 0 : i64
  %most = arith.constant 9223372036854775807 : i64
  %a = arith.maxsi %n, %c0 : i64
  %sum = arith.addi %a, %most overflow<nsw, nuw> : i64
  %c9 = arith.constant 9 : i64
  %b = arith.minsi %sum, %c9 : i64
  %at = arith.index_cast %b : i64 to index
  %v = tensor.extract %t[%at] : tensor<10xf32>
  return %v : f32
}

// -----

// CHECK-LABEL: func.func @buffers
// CHECK: memref.load
// CHECK-NEXT: arith.constant 8 : index
// CHECK-NEXT: arith.cmpi ult
// CHECK-NEXT: cf.assert %{{.*}}, "index is out of range for dimension 0 of size 8"
// CHECK-NEXT: memref.store
// CHECK-NOT: cf.assert
// CHECK: return
func.func @buffers(%m: memref<?xf32>, %k: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%i] : memref<?xf32>
    memref.store %v, %k[%i] : memref<8xf32>
  }
  scf.for %i = %c4 to %c8 step %c1 {
    %v = memref.load %k[%i] : memref<8xf32>
    memref.store %v, %k[%i] : memref<8xf32>
  }
  return
}

// -----

// 2, 5, 8 and 11 are elements of 12, and not of 11.

// CHECK-LABEL: func.func @slices
// CHECK-NEXT: tensor.extract_slice %{{.*}}[2] [4] [3] : tensor<12xf32>
// CHECK: cf.assert %{{.*}}, "slice is out of range for dimension 0 of size 12"
// CHECK-NEXT: tensor.extract_slice %{{.*}}[%{{.*}}] [4] [3] : tensor<12xf32>
// CHECK: cf.assert %{{.*}}, "slice is out of range for dimension 0 of size 12"
// CHECK-NEXT: tensor.insert_slice
func.func @slices(%t: tensor<12xf32>, %n: index)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<12xf32>) {
  %a = tensor.extract_slice %t[2] [4] [3] : tensor<12xf32> to tensor<4xf32>
  %b = tensor.extract_slice %t[%n] [4] [3] : tensor<12xf32> to tensor<4xf32>
  %c = tensor.insert_slice %a into %t[%n] [4] [1] : tensor<4xf32> into tensor<12xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<12xf32>
}

// -----

// CHECK-LABEL: func.func @dimension
// CHECK-SAME: %[[T:.*]]: tensor<4x?xf32>, %[[I:.*]]: index
// CHECK: %[[EXISTS:.*]] = arith.cmpi ult, %[[I]], %c2
// CHECK-NEXT: cf.assert %[[EXISTS]], "there is no dimension of this number"
// CHECK-NEXT: tensor.dim %[[T]], %[[I]]
// CHECK-NOT: cf.assert
// CHECK: return
func.func @dimension(%t: tensor<4x?xf32>, %i: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %i : tensor<4x?xf32>
  %m = tensor.dim %t, %c1 : tensor<4x?xf32>
  return %n, %m : index, index
}

// -----

// A step beyond the largest integer ends at a negative one.

// CHECK-LABEL: func.func @steps
// CHECK-NOT: cf.assert
// CHECK: memref.load
// CHECK: cf.assert
// CHECK: memref.load
// CHECK: cf.assert
// CHECK: memref.load
func.func @steps(%x: memref<?xf32>, %r: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %far = arith.constant 4611686018427387904 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %r[] : memref<f32>
  }
  scf.for %i = %c0 to %n step %far {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %r[] : memref<f32>
  }
  scf.for unsigned %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %r[] : memref<f32>
  }
  return
}
