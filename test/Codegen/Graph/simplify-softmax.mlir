// RUN: %mlir-prof-opt --cpu-simplify-softmax --canonicalize %s | FileCheck %s

#all = affine_map<(b, h, l, s) -> (b, h, l, s)>
#rows = affine_map<(b, h, l, s) -> (b, h, l)>

// CHECK-DAG: [[ALL3:#.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: [[ROWS3:#.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// The product reads exponentials; its result is divided. Whether a row is masked
// is known from its maximum.

// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<2x3x5x7xf32>, %[[V:[^ ]*]]: tensor<6x7x4xf32>)
// CHECK-DAG: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<2x3x5x7xf32>)
// CHECK-NOT: arith.andi
// CHECK: math.exp
// CHECK: } -> tensor<2x3x5x7xf32>
// CHECK: %[[S:.*]] = linalg.generic
// CHECK: arith.addf
// CHECK: } -> tensor<2x3x5xf32>
// CHECK-NOT: arith.andi
// CHECK: %[[E3:.*]] = tensor.collapse_shape %{{.*}} : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
// CHECK: %[[P:.*]] = linalg.batch_matmul ins(%[[E3]], %[[V]]
// CHECK: linalg.generic {indexing_maps = {{\[}}[[ROWS3]], [[ALL3]], [[ROWS3]], [[ALL3]]]
// CHECK-SAME: %[[P]]
// CHECK: ^bb0(%[[ROW:.*]]: f32, %[[SUM:.*]]: f32, %[[BY:.*]]: f32,
// CHECK: %[[IS:.*]] = arith.cmpf oeq, %[[ROW]], %[[LOW]]
// CHECK: %[[Q:.*]] = arith.divf %[[SUM]], %[[BY]]
// CHECK: arith.select %[[IS]], %{{.*}}, %[[Q]]
func.func @attention(%x: tensor<2x3x5x7xf32>, %v: tensor<6x7x4xf32>) -> tensor<6x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %re = tensor.empty() : tensor<2x3x5xf32>
  %fe = tensor.empty() : tensor<2x3x5x7xf32>
  %ae = tensor.empty() : tensor<2x3x5xi1>
  %m0 = linalg.fill ins(%low : f32) outs(%re : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %m = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x3x5x7xf32>) outs(%m0 : tensor<2x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x5xf32>
  %e = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %m : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%fe : tensor<2x3x5x7xf32>) {
  ^bb0(%in: f32, %most: f32, %out: f32):
    %1 = arith.subf %in, %most : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x5x7xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%re : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %s = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%e : tensor<2x3x5x7xf32>) outs(%s0 : tensor<2x3x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x5xf32>
  %a0 = linalg.fill ins(%true : i1) outs(%ae : tensor<2x3x5xi1>) -> tensor<2x3x5xi1>
  %a = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x3x5x7xf32>) outs(%a0 : tensor<2x3x5xi1>) {
  ^bb0(%in: f32, %out: i1):
    %1 = arith.cmpf oeq, %in, %low : f32
    %2 = arith.andi %1, %out : i1
    linalg.yield %2 : i1
  } -> tensor<2x3x5xi1>
  %y = linalg.generic {indexing_maps = [#rows, #all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %e, %s : tensor<2x3x5xi1>, tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%fe : tensor<2x3x5x7xf32>) {
  ^bb0(%isAll: i1, %in: f32, %sum: f32, %out: f32):
    %1 = arith.divf %in, %sum : f32
    %2 = arith.select %isAll, %zero, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x5x7xf32>
  %c = tensor.collapse_shape %y [[0, 1], [2], [3]] : tensor<2x3x5x7xf32> into tensor<6x5x7xf32>
  %pe = tensor.empty() : tensor<6x5x4xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%pe : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
  %p = linalg.batch_matmul ins(%c, %v : tensor<6x5x7xf32>, tensor<6x7x4xf32>) outs(%p0 : tensor<6x5x4xf32>) -> tensor<6x5x4xf32>
  return %p : tensor<6x5x4xf32>
}

// Quotients of anything else may be small where their dividends overflow.

#matrix = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @quotients(
// CHECK: arith.divf
// CHECK: linalg.matmul
// CHECK-NOT: arith.divf
func.func @quotients(%x: tensor<5x7xf32>, %s: tensor<5xf32>, %v: tensor<7x4xf32>) -> tensor<5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x7xf32>
  %y = linalg.generic {indexing_maps = [#matrix, #column, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<5x7xf32>, tensor<5xf32>) outs(%e : tensor<5x7xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %1 = arith.divf %in, %sum : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %pe = tensor.empty() : tensor<5x4xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%pe : tensor<5x4xf32>) -> tensor<5x4xf32>
  %p = linalg.matmul ins(%y, %v : tensor<5x7xf32>, tensor<7x4xf32>) outs(%p0 : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %p : tensor<5x4xf32>
}

// A maximum that ignores what is no number does not tell: such a row is not one
// of -inf.

// CHECK-LABEL: func.func @no_number(
// CHECK: arith.maxnumf
// CHECK: arith.andi
func.func @no_number(%x: tensor<5x7xf32>) -> (tensor<5xf32>, tensor<5xi32>) {
  %low = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %re = tensor.empty() : tensor<5xf32>
  %ae = tensor.empty() : tensor<5xi1>
  %ie = tensor.empty() : tensor<5xi32>
  %m0 = linalg.fill ins(%low : f32) outs(%re : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x7xf32>) outs(%m0 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maxnumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<5xf32>
  %a0 = linalg.fill ins(%true : i1) outs(%ae : tensor<5xi1>) -> tensor<5xi1>
  %a = linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x7xf32>) outs(%a0 : tensor<5xi1>) {
  ^bb0(%in: f32, %out: i1):
    %1 = arith.cmpf oeq, %in, %low : f32
    %2 = arith.andi %1, %out : i1
    linalg.yield %2 : i1
  } -> tensor<5xi1>
  %i = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<5xi1>) outs(%ie : tensor<5xi32>) {
  ^bb0(%in: i1, %out: i32):
    %1 = arith.extui %in : i1 to i32
    linalg.yield %1 : i32
  } -> tensor<5xi32>
  return %m, %i : tensor<5xf32>, tensor<5xi32>
}

// Differences from other maxima may be large, and so may their exponentials.

// CHECK-LABEL: func.func @other_maximum(
// CHECK: arith.divf
// CHECK: linalg.matmul
// CHECK-NOT: arith.divf
func.func @other_maximum(%x: tensor<5x7xf32>, %z: tensor<5x7xf32>, %v: tensor<7x4xf32>) -> tensor<5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %re = tensor.empty() : tensor<5xf32>
  %fe = tensor.empty() : tensor<5x7xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%re : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["parallel", "reduction"]}
      ins(%z : tensor<5x7xf32>) outs(%m0 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<5xf32>
  %e = linalg.generic {indexing_maps = [#matrix, #column, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<5x7xf32>, tensor<5xf32>) outs(%fe : tensor<5x7xf32>) {
  ^bb0(%in: f32, %most: f32, %out: f32):
    %1 = arith.subf %in, %most : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<5x7xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%re : tensor<5xf32>) -> tensor<5xf32>
  %s = linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<5x7xf32>) outs(%s0 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<5xf32>
  %y = linalg.generic {indexing_maps = [#matrix, #column, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%e, %s : tensor<5x7xf32>, tensor<5xf32>) outs(%fe : tensor<5x7xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %1 = arith.divf %in, %sum : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %pe = tensor.empty() : tensor<5x4xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%pe : tensor<5x4xf32>) -> tensor<5x4xf32>
  %p = linalg.matmul ins(%y, %v : tensor<5x7xf32>, tensor<7x4xf32>) outs(%p0 : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %p : tensor<5x4xf32>
}

// The maxima of columns: all exponentials of a row may be near 0, so that their
// products with something small would be 0.

// CHECK-LABEL: func.func @maximum_of_column(
// CHECK: arith.divf
// CHECK: linalg.matmul
// CHECK-NOT: arith.divf
func.func @maximum_of_column(%x: tensor<5x7xf32>, %v: tensor<7x4xf32>) -> tensor<5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %re = tensor.empty() : tensor<5xf32>
  %ce = tensor.empty() : tensor<7xf32>
  %fe = tensor.empty() : tensor<5x7xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%ce : tensor<7xf32>) -> tensor<7xf32>
  %m = linalg.generic {indexing_maps = [#matrix, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<5x7xf32>) outs(%m0 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<7xf32>
  %e = linalg.generic {indexing_maps = [#matrix, affine_map<(i, j) -> (j)>, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<5x7xf32>, tensor<7xf32>) outs(%fe : tensor<5x7xf32>) {
  ^bb0(%in: f32, %most: f32, %out: f32):
    %1 = arith.subf %in, %most : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<5x7xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%re : tensor<5xf32>) -> tensor<5xf32>
  %s = linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<5x7xf32>) outs(%s0 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<5xf32>
  %y = linalg.generic {indexing_maps = [#matrix, #column, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%e, %s : tensor<5x7xf32>, tensor<5xf32>) outs(%fe : tensor<5x7xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %1 = arith.divf %in, %sum : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %pe = tensor.empty() : tensor<5x4xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%pe : tensor<5x4xf32>) -> tensor<5x4xf32>
  %p = linalg.matmul ins(%y, %v : tensor<5x7xf32>, tensor<7x4xf32>) outs(%p0 : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %p : tensor<5x4xf32>
}
