// Elements that a body extracts are loaded in vectors where they are neighbors.

// RUN: %mlir-prof-opt %s --cpu-apply-rules='vector-bits=512' --canonicalize --cse --split-input-file | FileCheck %s

// The row comes from a table, once for each vector; 20 elements are one
// vector and a part of one. The width of the table's elements does not matter.

// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x20xf32>, %[[T:[a-z0-9]+]]: tensor<6xi64>
// CHECK: cpu.nest
// CHECK: ^bb0(%[[A:[a-z0-9]+]]: memref<6xi64>, %[[B:[a-z0-9]+]]: memref<3x20xf32>
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[N:[a-z0-9_]+]] = memref.load %[[A]][%[[I]]]
// CHECK: %[[ROW:[a-z0-9_]+]] = arith.index_cast %[[N]] : i64 to index
// CHECK: vector.transfer_read %[[B]][%[[ROW]], %{{.*}}], %{{.*}} {in_bounds = [true]} : memref<3x20xf32>, vector<16xf32>
// CHECK: math.absf %{{.*}} : vector<16xf32>
// CHECK: vector.transfer_read %[[B]][%{{[a-z0-9_]+}}, %{{.*}}], %{{.*}}, %{{.*}} {in_bounds = [true]} : memref<3x20xf32>, vector<16xf32>
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @rows(%x: tensor<3x20xf32>, %t: tensor<6xi64>) -> tensor<6x20xf32> {
  %e = tensor.empty() : tensor<6x20xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<6xi64>) outs(%e : tensor<6x20xf32>) {
  ^bb0(%n: i64, %o: f32):
    %i = arith.index_cast %n : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %x[%i, %j] : tensor<3x20xf32>
    %a = math.absf %v : f32
    linalg.yield %a : f32
  } -> tensor<6x20xf32>
  return %r : tensor<6x20xf32>
}

// -----

// The column comes from the table: no vector holds these elements.

// CHECK-LABEL: func.func @columns
// CHECK-NOT: cpu.nest
// CHECK: tensor.extract
func.func @columns(%x: tensor<3x20xf32>, %t: tensor<32xi64>) -> tensor<3x32xf32> {
  %e = tensor.empty() : tensor<3x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<32xi64>) outs(%e : tensor<3x32xf32>) {
  ^bb0(%n: i64, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %n : i64 to index
    %v = tensor.extract %x[%i, %j] : tensor<3x20xf32>
    linalg.yield %v : f32
  } -> tensor<3x32xf32>
  return %r : tensor<3x32xf32>
}
