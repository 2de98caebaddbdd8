// Kernels whose ops share their rows are put into loops over blocks of rows.

// RUN: %mlir-prof-opt --cpu-apply-rules --mlir-print-local-scope %s | FileCheck %s

// With 1100 keys, 29 rows of scores take an eighth of the cache; of these, 24 are
// whole register tiles. No number near it divides 67: two blocks of 23 rows leave 21.

// CHECK-LABEL: func.func private @attention(
// CHECK-SAME: %[[Q:[^ ]*]]: tensor<6x67x4xf32>, %[[K:[^ ]*]]: tensor<6x4x1100xf32>, %[[MASK:[^ ]*]]: tensor<2x1x67x1100xf32>, %[[V:[^ ]*]]: tensor<6x1100x4xf32>, %[[OUT:[^ ]*]]: tensor<6x67x4xf32>)
// The batch is two dimensions of the mask, and one of the products.
// CHECK: %[[RESULT:.*]] = scf.for %[[B:.*]] = %{{.*}} iter_args(%[[R0:.*]] = %[[OUT]])
// CHECK: %[[HEADS:.*]] = scf.for %[[H:.*]] = %{{.*}} iter_args(%[[R1:.*]] = %[[R0]])
// CHECK-DAG: %[[END:.*]] = arith.constant 46 : index
// CHECK-DAG: %[[STEP:.*]] = arith.constant 23 : index
// CHECK: %[[BLOCKS:.*]] = scf.for %[[ROW:.*]] = %{{.*}} to %[[END]] step %[[STEP]] iter_args(%[[R2:.*]] = %[[R1]])
// CHECK: affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%[[B]], %[[H]])
// Each iteration has tensors of its own.
// CHECK: %[[SCORES:.*]] = bufferization.alloc_tensor() : tensor<1x23x1100xf32>
// CHECK: %[[QROWS:.*]] = tensor.extract_slice %[[Q]][%{{.*}}, %[[ROW]], 0] [1, 23, 4] [1, 1, 1]
// CHECK: %[[KEYS:.*]] = tensor.extract_slice %[[K]][%{{.*}}, 0, 0] [1, 4, 1100] [1, 1, 1]
// CHECK: cpu.nest ins(%[[QROWS]], %[[KEYS]] : {{.*}}) outs(%[[SCORES]] : tensor<1x23x1100xf32>)
// CHECK: tensor.expand_shape {{.*}} : tensor<1x23x1100xf32> into tensor<1x1x23x1100xf32>
// CHECK: tensor.extract_slice %[[MASK]][%[[B]], 0, %[[ROW]], 0] [1, 1, 23, 1100] [1, 1, 1, 1]
// CHECK: cpu.nest {{.*}} outs(%{{.*}} : tensor<1x1x23xf32>)
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: %[[START:.*]] = tensor.extract_slice %[[R2]][%{{.*}}, %[[ROW]], 0] [1, 23, 4] [1, 1, 1]
// CHECK: %[[VALUES:.*]] = tensor.extract_slice %[[V]][%{{.*}}, 0, 0] [1, 1100, 4] [1, 1, 1]
// CHECK: %[[ROWS:.*]] = cpu.nest ins(%{{.*}}, %[[VALUES]] : {{.*}}) outs(%[[START]] : tensor<1x23x4xf32>)
// CHECK: %[[NEXT:.*]] = tensor.insert_slice %[[ROWS]] into %[[R2]][%{{.*}}, %[[ROW]], 0] [1, 23, 4] [1, 1, 1]
// CHECK: scf.yield %[[NEXT]]
// CHECK: } {mlirprof.blocks, mlirprof.parallel}
// CHECK: tensor.extract_slice %[[Q]][%{{.*}}, 46, 0] [1, 21, 4] [1, 1, 1]
// CHECK: %[[LAST:.*]] = tensor.insert_slice %{{.*}} into %[[BLOCKS]][%{{.*}}, 46, 0] [1, 21, 4] [1, 1, 1]
// CHECK: scf.yield %[[LAST]]
// CHECK: } {mlirprof.blocks, mlirprof.parallel}
// CHECK: } {mlirprof.blocks, mlirprof.parallel}
// CHECK: return %[[RESULT]]
func.func private @attention(%q: tensor<6x67x4xf32>, %k: tensor<6x4x1100xf32>, %mask: tensor<2x1x67x1100xf32>, %v: tensor<6x1100x4xf32>, %out: tensor<6x67x4xf32>) -> tensor<6x67x4xf32> attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e3 = tensor.empty() : tensor<6x67x1100xf32>
  %e4 = tensor.empty() : tensor<2x3x67x1100xf32>
  %er = tensor.empty() : tensor<2x3x67xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<6x67x1100xf32>) -> tensor<6x67x1100xf32>
  %p = linalg.batch_matmul ins(%q, %k : tensor<6x67x4xf32>, tensor<6x4x1100xf32>) outs(%p0 : tensor<6x67x1100xf32>) -> tensor<6x67x1100xf32>
  %px = tensor.expand_shape %p [[0, 1], [2], [3]] output_shape [2, 3, 67, 1100] : tensor<6x67x1100xf32> into tensor<2x3x67x1100xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, h, l, s) -> (b, h, l, s)>, affine_map<(b, h, l, s) -> (b, 0, l, s)>, affine_map<(b, h, l, s) -> (b, h, l, s)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%px, %mask : tensor<2x3x67x1100xf32>, tensor<2x1x67x1100xf32>) outs(%e4 : tensor<2x3x67x1100xf32>) {
  ^bb0(%in: f32, %other: f32, %o: f32):
    %1 = arith.addf %in, %other : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x67x1100xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%er : tensor<2x3x67xf32>) -> tensor<2x3x67xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, h, l, s) -> (b, h, l, s)>, affine_map<(b, h, l, s) -> (b, h, l)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x3x67x1100xf32>) outs(%m0 : tensor<2x3x67xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = arith.maximumf %in, %o : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x67xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, h, l, s) -> (b, h, l, s)>, affine_map<(b, h, l, s) -> (b, h, l)>, affine_map<(b, h, l, s) -> (b, h, l, s)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %m : tensor<2x3x67x1100xf32>, tensor<2x3x67xf32>) outs(%e4 : tensor<2x3x67x1100xf32>) {
  ^bb0(%in: f32, %most: f32, %o: f32):
    %1 = arith.subf %in, %most : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x67x1100xf32>
  %c = tensor.collapse_shape %y [[0, 1], [2], [3]] : tensor<2x3x67x1100xf32> into tensor<6x67x1100xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%out : tensor<6x67x4xf32>) -> tensor<6x67x4xf32>
  %r = linalg.batch_matmul ins(%c, %v : tensor<6x67x1100xf32>, tensor<6x1100x4xf32>) outs(%r0 : tensor<6x67x4xf32>) -> tensor<6x67x4xf32>
  return %r : tensor<6x67x4xf32>
}

// What a chain of ops on 300 rows of 700 elements passes on does not stay in the
// cache, but 30 rows do, a divisor of 300. What one on 100 rows passes on does.

// CHECK-LABEL: func.func private @norm(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<300x700xf32>, %[[OUT:[^ ]*]]: tensor<300x700xf32>)
// CHECK-DAG: %[[END:.*]] = arith.constant 300 : index
// CHECK-DAG: %[[STEP:.*]] = arith.constant 30 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step %[[STEP]] iter_args(%{{.*}} = %[[OUT]])
// CHECK-COUNT-3: cpu.nest
// CHECK: tensor.insert_slice {{.*}} [30, 700] [1, 1]
// CHECK: } {mlirprof.blocks, mlirprof.parallel}
// CHECK-LABEL: func.func private @small(
// CHECK-NOT: tensor.insert_slice
func.func private @norm(%x: tensor<300x700xf32>, %out: tensor<300x700xf32>) -> tensor<300x700xf32> attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<300xf32>
  %e = tensor.empty() : tensor<300x700xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<300x700xf32>) outs(%e : tensor<300x700xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = math.tanh %in : f32
    linalg.yield %1 : f32
  } -> tensor<300x700xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%er : tensor<300xf32>) -> tensor<300xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%q : tensor<300x700xf32>) outs(%s0 : tensor<300xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = arith.addf %in, %o : f32
    linalg.yield %1 : f32
  } -> tensor<300xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<300x700xf32>, tensor<300xf32>) outs(%out : tensor<300x700xf32>) {
  ^bb0(%in: f32, %sum: f32, %o: f32):
    %1 = arith.divf %in, %sum : f32
    linalg.yield %1 : f32
  } -> tensor<300x700xf32>
  return %r : tensor<300x700xf32>
}

func.func private @small(%x: tensor<80x700xf32>, %out: tensor<80x700xf32>) -> tensor<80x700xf32> attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<80xf32>
  %e = tensor.empty() : tensor<80x700xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<80x700xf32>) outs(%e : tensor<80x700xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = math.tanh %in : f32
    linalg.yield %1 : f32
  } -> tensor<80x700xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%er : tensor<80xf32>) -> tensor<80xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%q : tensor<80x700xf32>) outs(%s0 : tensor<80xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = arith.addf %in, %o : f32
    linalg.yield %1 : f32
  } -> tensor<80xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<80x700xf32>, tensor<80xf32>) outs(%out : tensor<80x700xf32>) {
  ^bb0(%in: f32, %sum: f32, %o: f32):
    %1 = arith.divf %in, %sum : f32
    linalg.yield %1 : f32
  } -> tensor<80x700xf32>
  return %r : tensor<80x700xf32>
}

// The rows of a block are neighbors along the second dimension of the scores,
// which is the first of the two that the first product has as one. No part of
// that is a block.

// CHECK-LABEL: func.func private @swapped(
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func private @swapped(%q: tensor<64x8xf32>, %k: tensor<8x32xf32>, %v: tensor<32x8xf32>, %out: tensor<64x8xf32>) -> tensor<64x8xf32> attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<64x32xf32>
  %e3 = tensor.empty() : tensor<16x4x32xf32>
  %er = tensor.empty() : tensor<4x16xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %p = linalg.matmul ins(%q, %k : tensor<64x8xf32>, tensor<8x32xf32>) outs(%p0 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %x = tensor.expand_shape %p [[0, 1], [2]] output_shape [4, 16, 32] : tensor<64x32xf32> into tensor<4x16x32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%er : tensor<4x16xf32>) -> tensor<4x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(h, l, s) -> (h, l, s)>, affine_map<(h, l, s) -> (h, l)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x16x32xf32>) outs(%s0 : tensor<4x16xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = arith.addf %in, %o : f32
    linalg.yield %1 : f32
  } -> tensor<4x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(h, l, s) -> (h, l, s)>, affine_map<(h, l, s) -> (h, l)>, affine_map<(h, l, s) -> (l, h, s)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<4x16x32xf32>, tensor<4x16xf32>) outs(%e3 : tensor<16x4x32xf32>) {
  ^bb0(%in: f32, %sum: f32, %o: f32):
    %1 = arith.divf %in, %sum : f32
    linalg.yield %1 : f32
  } -> tensor<16x4x32xf32>
  %c = tensor.collapse_shape %y [[0, 1], [2]] : tensor<16x4x32xf32> into tensor<64x32xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%out : tensor<64x8xf32>) -> tensor<64x8xf32>
  %r = linalg.matmul ins(%c, %v : tensor<64x32xf32>, tensor<32x8xf32>) outs(%r0 : tensor<64x8xf32>) -> tensor<64x8xf32>
  return %r : tensor<64x8xf32>
}

// A body that extracts sums may read those of other rows.

// CHECK-LABEL: func.func private @extracts(
// CHECK-NOT: tensor.insert_slice
// CHECK: memref.load %{{.*}} : memref<300xf32>
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func private @extracts(%x: tensor<300x700xf32>, %places: tensor<300xi64>, %out: tensor<300x700xf32>) -> tensor<300x700xf32> attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<300xf32>
  %e = tensor.empty() : tensor<300x700xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<300x700xf32>) outs(%e : tensor<300x700xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = math.tanh %in : f32
    linalg.yield %1 : f32
  } -> tensor<300x700xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%er : tensor<300xf32>) -> tensor<300xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%q : tensor<300x700xf32>) outs(%s0 : tensor<300xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = arith.addf %in, %o : f32
    linalg.yield %1 : f32
  } -> tensor<300xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%q, %places : tensor<300x700xf32>, tensor<300xi64>) outs(%out : tensor<300x700xf32>) {
  ^bb0(%in: f32, %place: i64, %o: f32):
    %1 = arith.index_cast %place : i64 to index
    %sum = tensor.extract %s[%1] : tensor<300xf32>
    %2 = arith.divf %in, %sum : f32
    linalg.yield %2 : f32
  } -> tensor<300x700xf32>
  return %r : tensor<300x700xf32>
}

// No rows.

// CHECK-LABEL: func.func private @none(
// CHECK-NOT: tensor.insert_slice
// CHECK: return
func.func private @none(%x: tensor<0x700xf32>, %out: tensor<0x700xf32>) -> tensor<0x700xf32> attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<0xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%er : tensor<0xf32>) -> tensor<0xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<0x700xf32>) outs(%s0 : tensor<0xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = arith.addf %in, %o : f32
    linalg.yield %1 : f32
  } -> tensor<0xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<0x700xf32>, tensor<0xf32>) outs(%out : tensor<0x700xf32>) {
  ^bb0(%in: f32, %sum: f32, %o: f32):
    %1 = arith.divf %in, %sum : f32
    linalg.yield %1 : f32
  } -> tensor<0x700xf32>
  return %r : tensor<0x700xf32>
}
