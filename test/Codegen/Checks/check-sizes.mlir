// Dynamic sizes that are not known to fit are compared.

// RUN: %mlir-prof-opt %s --cpu-check-sizes --canonicalize --cse --split-input-file \
// RUN:   | FileCheck %s

// Once, where the function begins.

// CHECK-LABEL: func.func @add
// CHECK-SAME: %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<?x4xf32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[A]], %c0
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[B]], %c0
// CHECK: %[[EQUAL:.*]] = arith.cmpi eq, %[[N]], %[[M]] : index
// CHECK: cf.assert %[[EQUAL]], "dimension 0 of operand 1 differs from dimension 0 of operand 0"
// CHECK: linalg.exp
// CHECK-NOT: cf.assert
// CHECK: return
func.func @add(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %x = linalg.exp ins(%a : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = linalg.add ins(%x, %b : tensor<?x4xf32>, tensor<?x4xf32>)
    outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = linalg.mul ins(%r, %b : tensor<?x4xf32>, tensor<?x4xf32>)
    outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// -----

// Front ends assert themselves.

// CHECK-LABEL: func.func @asserted
// CHECK: cf.assert %{{.*}}, "mine"
// CHECK-NOT: cf.assert
// CHECK: return
func.func @asserted(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %equal = arith.cmpi eq, %n, %m : index
  cf.assert %equal, "mine"
  %e = tensor.empty(%m) : tensor<?xf32>
  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>)
    outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @matmul
// CHECK-DAG: cf.assert %{{.*}}, "dimension 0 of operand 1 differs from dimension 1 of operand 0"
// CHECK-DAG: cf.assert %{{.*}}, "dimension 0 of operand 2 differs from dimension 0 of operand 0"
// CHECK-DAG: cf.assert %{{.*}}, "dimension 1 of operand 2 differs from dimension 1 of operand 1"
// CHECK: linalg.matmul
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
    outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// The last window begins at the size of the result less one and has three rows.

// CHECK: #[[LAST:.*]] = affine_map<()[s0] -> (s0 + 1)>
// CHECK-LABEL: func.func @windows
// CHECK-SAME: %[[X:.*]]: tensor<1x3x?x8xf32>, %{{.*}}, %[[O:.*]]: tensor<1x8x?x6xf32>
// CHECK: %[[ROWS:.*]] = tensor.dim %[[O]], %c2
// CHECK: %[[HEIGHT:.*]] = tensor.dim %[[X]], %c2
// CHECK: %[[AT:.*]] = affine.apply #[[LAST]]()[%[[ROWS]]]
// CHECK: %[[FITS:.*]] = arith.cmpi slt, %[[AT]], %[[HEIGHT]]
// CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %[[ROWS]], %c0
// CHECK: %[[HOLDS:.*]] = arith.ori %[[FITS]], %[[EMPTY]]
// CHECK: cf.assert %[[HOLDS]], "dimension 2 of operand 0 is too small for the windows of the op"
// CHECK: linalg.conv_2d_nchw_fchw
func.func @windows(%x: tensor<1x3x?x8xf32>, %w: tensor<8x3x3x3xf32>, %o: tensor<1x8x?x6xf32>)
    -> tensor<1x8x?x6xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x?x8xf32>, tensor<8x3x3x3xf32>)
    outs(%o : tensor<1x8x?x6xf32>) -> tensor<1x8x?x6xf32>
  return %r : tensor<1x8x?x6xf32>
}

// -----

// CHECK-LABEL: func.func @views
// CHECK-DAG: cf.assert %{{.*}}, "dimension 0 does not have size 4"
// CHECK-DAG: cf.assert %{{.*}}, "dimension 0 does not have as many elements as the dimensions it expands to"
// CHECK-DAG: cf.assert %{{.*}}, "dimension 0 of the source does not have the size of the slice"
// CHECK-DAG: cf.assert %{{.*}}, "dimension 1 of the parts differs"
// CHECK: return
func.func @views(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index, %d: tensor<12xf32>,
                 %e: tensor<?x?xf32>, %f: tensor<?x3xf32>)
    -> (tensor<4xf32>, tensor<?x4xf32>, tensor<12xf32>, tensor<?x3xf32>) {
  %cast = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %expand = tensor.expand_shape %b [[0, 1]] output_shape [%n, 4]
    : tensor<?xf32> into tensor<?x4xf32>
  %insert = tensor.insert_slice %a into %d[0] [%n] [1] : tensor<?xf32> into tensor<12xf32>
  %concat = tensor.concat dim(0) %e, %f : (tensor<?x?xf32>, tensor<?x3xf32>)
    -> tensor<?x3xf32>
  return %cast, %expand, %insert, %concat
    : tensor<4xf32>, tensor<?x4xf32>, tensor<12xf32>, tensor<?x3xf32>
}

// -----

// An assertion in a branch says nothing about what follows.

// CHECK-LABEL: func.func @branch
// CHECK: scf.if
// CHECK: cf.assert
// CHECK: linalg.add
// CHECK: } else {
// CHECK: cf.assert
// CHECK: linalg.add
func.func @branch(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    %s = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>)
      outs(%a : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  } else {
    scf.yield %b : tensor<?xf32>
  }
  %s = linalg.add ins(%r, %b : tensor<?xf32>, tensor<?xf32>)
    outs(%r : tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}

// -----

// 2^47 bytes are 2^45 numbers. Sizes are compared without sign; a tensor of the sizes of an
// argument fits.

// CHECK-LABEL: func.func @allocations
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index
// CHECK-DAG: %[[MOST:.*]] = arith.constant 35184372088832 : i64
// CHECK-DAG: %[[A:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK-DAG: %[[B:.*]] = arith.index_cast %[[M]] : index to i64
// CHECK: %[[LOW:.*]], %[[HIGH:.*]] = arith.mului_extended %[[A]], %[[B]]
// CHECK: %[[SHORT:.*]] = arith.cmpi eq, %[[HIGH]], %c0_i64
// CHECK: %[[LESS:.*]] = arith.cmpi ule, %[[LOW]], %[[MOST]]
// CHECK: %[[FITS:.*]] = arith.andi %[[SHORT]], %[[LESS]]
// CHECK: cf.assert %[[FITS]], "a size is negative, or the tensor is too large"
// CHECK-NOT: cf.assert
// CHECK: return
func.func @allocations(%n: index, %m: index, %x: tensor<?x4xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xi8>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %a = tensor.empty(%n, %m) : tensor<?x?xf32>
  %b = tensor.empty(%n, %m) : tensor<?x?xi8>
  %k = tensor.dim %x, %c0 : tensor<?x4xf32>
  %c = tensor.empty(%k) : tensor<?x4xf32>
  return %a, %b, %c : tensor<?x?xf32>, tensor<?x?xi8>, tensor<?x4xf32>
}

// -----

// Constants count, and a static shape can be too large, too.

// CHECK-LABEL: func.func @huge
// CHECK-SAME: %[[N:.*]]: index
// CHECK-DAG: %[[NEVER:.*]] = arith.constant false
// CHECK: cf.assert %[[NEVER]], "a size is negative, or the tensor is too large"
// CHECK: %[[A:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK: %[[EMPTY:.*]] = arith.cmpi ule, %[[A]], %c0_i64
// CHECK: cf.assert %[[EMPTY]], "a size is negative, or the tensor is too large"
// CHECK: %[[LESS:.*]] = arith.cmpi ule, %[[A]], %c128_i64
// CHECK: cf.assert %[[LESS]], "a size is negative, or the tensor is too large"
// CHECK-NOT: cf.assert
// CHECK: return
func.func @huge(%n: index)
    -> (memref<?x?xi8>, memref<?x1152921504606846976xi8>,
        memref<16x1152921504606846976xi8>, memref<0x1152921504606846976xi8>) {
  %k = arith.constant 1099511627776 : index
  %a = memref.alloc(%n, %k) : memref<?x?xi8>
  %b = memref.alloc(%n) : memref<?x1152921504606846976xi8>
  %c = memref.alloc() : memref<16x1152921504606846976xi8>
  %d = memref.alloc() : memref<0x1152921504606846976xi8>
  return %a, %b, %c, %d : memref<?x?xi8>, memref<?x1152921504606846976xi8>,
    memref<16x1152921504606846976xi8>, memref<0x1152921504606846976xi8>
}

// -----

// CHECK-LABEL: func.func @copy
// CHECK-SAME: %[[A:.*]]: memref<?x4xf32>, %[[B:.*]]: memref<?x4xf32>
// CHECK-DAG: %[[N:.*]] = memref.dim %[[A]], %c0
// CHECK-DAG: %[[M:.*]] = memref.dim %[[B]], %c0
// CHECK: %[[EQUAL:.*]] = arith.cmpi eq, %[[N]], %[[M]] : index
// CHECK: cf.assert %[[EQUAL]], "dimension 0 of the copied buffers differs"
// CHECK: memref.copy
func.func @copy(%a: memref<?x4xf32>, %b: memref<?x4xf32>) {
  memref.copy %a, %b : memref<?x4xf32> to memref<?x4xf32>
  return
}

// -----

// A product of sizes that wraps is not that of the elements.

// CHECK-LABEL: func.func @products
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[M:.*]]: index
// CHECK-DAG: %[[A:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK-DAG: %[[B:.*]] = arith.index_cast %[[M]] : index to i64
// CHECK: %[[LOW:.*]], %[[HIGH:.*]] = arith.mului_extended %[[A]], %[[B]]
// CHECK: %[[SHORT:.*]] = arith.cmpi eq, %[[HIGH]], %c0_i64
// CHECK: %[[EQUAL:.*]] = arith.cmpi eq, %[[LOW]], %{{.*}}
// CHECK: %[[BOTH:.*]] = arith.andi %[[EQUAL]], %[[SHORT]]
// CHECK: cf.assert %[[BOTH]], "dimension 0 does not have as many elements as the dimensions it expands to"
// CHECK: memref.expand_shape
func.func @products(%x: memref<?xf32>, %n: index, %m: index) -> memref<?x?xf32> {
  %y = memref.expand_shape %x [[0, 1]] output_shape [%n, %m]
    : memref<?xf32> into memref<?x?xf32>
  return %y : memref<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @copies
// CHECK: cf.assert %{{.*}}, "dimension 0 of the copied buffers differs"
// CHECK: bufferization.materialize_in_destination
func.func @copies(%x: tensor<?xf32>, %y: memref<?xf32>) {
  bufferization.materialize_in_destination %x in restrict writable %y
    : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// The first and the last iteration read element 0; others read what is not there.

// CHECK-LABEL: func.func @differences
// CHECK: cf.assert %false, "dimension 0 of operand 0 is too small for the windows of the op"
func.func @differences(%x: tensor<1xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i - j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1xf32>) outs(%y : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
