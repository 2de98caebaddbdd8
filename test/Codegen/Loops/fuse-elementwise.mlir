// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-fuse-elementwise))' | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// An op joins its only reader, unless that was chosen against.

// CHECK-LABEL: func @by_the_rules(
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK-NEXT: math.absf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @by_the_rules(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.exp ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.abs ins(%0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// The choice stays on what the op has become, for the passes to come.

// CHECK-LABEL: func @none(
// CHECK: linalg.generic {{.*}} attrs = {mlirprof.choice = {fusion = {with = "none"}}}
// CHECK: math.exp
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic
// CHECK: math.absf
// CHECK: return
func.func @none(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.exp {mlirprof.choice = {fusion = {with = "none"}}} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.abs ins(%0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// Of several readers none gets it, unless that was chosen; then each computes
// it, as often as it reads it.

// CHECK-LABEL: func @several_readers(
// CHECK: math.exp
// CHECK-NEXT: linalg.yield
// CHECK: math.absf
// CHECK: arith.negf
// CHECK: return
func.func @several_readers(%a: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.exp ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.abs ins(%0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = linalg.negf ins(%0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1, %2 : tensor<8x16xf32>, tensor<8x16xf32>
}

// CHECK-LABEL: func @all(
// CHECK: math.exp
// CHECK-NEXT: math.absf
// CHECK: math.exp
// CHECK-NEXT: arith.negf
// CHECK: return
func.func @all(%a: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.exp {mlirprof.choice = {fusion = {with = "all"}}} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.abs ins(%0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %2 = linalg.negf ins(%0 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1, %2 : tensor<8x16xf32>, tensor<8x16xf32>
}

// Also one that is read many times.

// CHECK-LABEL: func @broadcast(
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK-NEXT: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @broadcast(%a: tensor<8xf32>, %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %o = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.exp {mlirprof.choice = {fusion = {with = "all"}}} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %b : tensor<8xf32>, tensor<8x16xf32>) outs(%o : tensor<8x16xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// A sum is not computed in what reads it, whatever was chosen; words that
// nobody knows choose nothing.

// CHECK-LABEL: func @sum(
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK-NEXT: math.absf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @sum(%a: tensor<8x16xf32>, %s: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<8x16xf32>) outs(%s : tensor<8xf32>) attrs = {mlirprof.choice = {fusion = {with = "all"}}} {
    ^bb0(%x: f32, %y: f32):
      %t = arith.addf %x, %y : f32
      linalg.yield %t : f32
  } -> tensor<8xf32>
  %1 = linalg.exp {mlirprof.choice = {fusion = {with = "everything", depth = 3}}} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.abs ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Both sums widen the elements themselves, as a product would not: the wide
// tensor does not exist.

// CHECK-LABEL: func @widened(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK-NOT: tensor<4x8xf64>
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xf32>)
// CHECK: arith.extf
// CHECK: linalg.generic {{.*}} ins(%[[X]], %{{.*}} : tensor<4x8xf32>, tensor<4xf64>)
// CHECK: arith.extf
// CHECK-NOT: tensor<4x8xf64>
// CHECK: return
func.func @widened(%x: tensor<4x8xf32>, %start: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4x8xf64>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf64>) {
  ^bb0(%a: f32, %o: f64):
    %w = arith.extf %a : f32 to f64
    linalg.yield %w : f64
  } -> tensor<4x8xf64>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%wide : tensor<4x8xf64>) outs(%start : tensor<4xf64>) {
  ^bb0(%a: f64, %o: f64):
    %s = arith.addf %a, %o : f64
    linalg.yield %s : f64
  } -> tensor<4xf64>
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%wide, %sum : tensor<4x8xf64>, tensor<4xf64>) outs(%start : tensor<4xf64>) {
  ^bb0(%a: f64, %m: f64, %o: f64):
    %d = arith.subf %a, %m : f64
    %p = arith.mulf %d, %d : f64
    %s = arith.addf %p, %o : f64
    linalg.yield %s : f64
  } -> tensor<4xf64>
  return %squares : tensor<4xf64>
}

// An op that only extracts elements is fused into all its readers: the elements
// are extracted again.

// CHECK-LABEL: func.func @extracts
// CHECK: linalg.generic
// CHECK-COUNT-2: tensor.extract
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @extracts(%x: tensor<3x20xf32>, %t: tensor<6xi64>, %w: tensor<6x20xf32>) -> tensor<6x20xf32> {
  %e = tensor.empty() : tensor<6x20xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<6xi64>) outs(%e : tensor<6x20xf32>) {
  ^bb0(%n: i64, %o: f32):
    %i = arith.index_cast %n : i64 to index
    %j = linalg.index 1 : index
    %element = tensor.extract %x[%i, %j] : tensor<3x20xf32>
    linalg.yield %element : f32
  } -> tensor<6x20xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%v, %w : tensor<6x20xf32>, tensor<6x20xf32>) outs(%e : tensor<6x20xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<6x20xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%m, %v : tensor<6x20xf32>, tensor<6x20xf32>) outs(%e : tensor<6x20xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<6x20xf32>
  return %r : tensor<6x20xf32>
}

// A sum of two products: the results of the first one are stored, narrow. What
// follows is computed with the second one.

// CHECK-LABEL: func @sum_of_products(
// CHECK:         [[FIRST:%.*]] = linalg.matmul ins(%arg0
// CHECK:         [[NARROW:%.*]] = linalg.generic {{.*}} ins([[FIRST]] : tensor<8x16xi32>)
// CHECK:           arith.trunci
// CHECK-NEXT:      linalg.yield {{.*}} : i8
// CHECK:         [[SECOND:%.*]] = linalg.matmul ins(%arg1
// CHECK:         linalg.generic
// CHECK-NOT:       fusion
// CHECK-SAME:      ins({{.*}} : tensor<8x16xi{{8|32}}>, tensor<8x16xi{{8|32}}>)
// CHECK:           arith.addi
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @sum_of_products(%a: tensor<8x4xi8>, %b: tensor<8x4xi8>, %w: tensor<4x16xi8>,
                           %start: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %narrow = tensor.empty() : tensor<8x16xi8>
  %wide = tensor.empty() : tensor<8x16xi32>
  %0 = linalg.matmul ins(%a, %w : tensor<8x4xi8>, tensor<4x16xi8>)
         outs(%start : tensor<8x16xi32>) -> tensor<8x16xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%0 : tensor<8x16xi32>) outs(%narrow : tensor<8x16xi8>) {
  ^bb0(%x: i32, %o: i8):
    %t = arith.trunci %x : i32 to i8
    linalg.yield %t : i8
  } -> tensor<8x16xi8>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%1 : tensor<8x16xi8>) outs(%wide : tensor<8x16xi32>) {
  ^bb0(%x: i8, %o: i32):
    %t = arith.extsi %x : i8 to i32
    linalg.yield %t : i32
  } -> tensor<8x16xi32>
  %3 = linalg.matmul ins(%b, %w : tensor<8x4xi8>, tensor<4x16xi8>)
         outs(%start : tensor<8x16xi32>) -> tensor<8x16xi32>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%3 : tensor<8x16xi32>) outs(%narrow : tensor<8x16xi8>) {
  ^bb0(%x: i32, %o: i8):
    %t = arith.trunci %x : i32 to i8
    linalg.yield %t : i8
  } -> tensor<8x16xi8>
  %5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%4 : tensor<8x16xi8>) outs(%wide : tensor<8x16xi32>) {
  ^bb0(%x: i8, %o: i32):
    %t = arith.extsi %x : i8 to i32
    linalg.yield %t : i32
  } -> tensor<8x16xi32>
  %6 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%2, %5 : tensor<8x16xi32>, tensor<8x16xi32>) outs(%wide : tensor<8x16xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %t = arith.addi %x, %y : i32
    linalg.yield %t : i32
  } -> tensor<8x16xi32>
  return %6 : tensor<8x16xi32>
}
