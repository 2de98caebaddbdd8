// RUN: %mlir-prof-opt %s --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(cpu-outline-cold)' | FileCheck %s

// Neighbors become one function each side of what stays. A buffer that only
// they use is theirs; of others the function gets what it needs. Constants are
// made anew. The sums of the product are not the innermost loop.

// CHECK-LABEL: func.func private @f_cold_0(
// CHECK-SAME: %[[A:.*]]: memref<8x8xf32>, %[[C:.*]]: f32, %[[X:.*]]: memref<8x8xf32>
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>, passthrough = ["cold", "noinline", "minsize", "optsize"]
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[OWN:.*]] = memref.alloc()
// CHECK: linalg.fill {{.*}} ins(%[[ZERO]] : f32) outs(%[[A]] :
// CHECK: linalg.fill {{.*}} ins(%[[C]] : f32) outs(%[[OWN]] :
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]} ins(%[[X]], %[[OWN]]
// CHECK: memref.dealloc %[[OWN]]
// CHECK-NEXT: return

// CHECK-LABEL: func.func private @f_cold_1(
// CHECK: linalg.fill
// CHECK: %[[E:.*]] = memref.load
// CHECK: linalg.fill {{.*}} ins(%[[E]] : f32)

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:.*]]: memref<8x8xf32>, %[[HOT:.*]]: memref<8x8xf32>, %[[C:.*]]: f32
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK-NOT: memref.alloc
// CHECK: call @f_cold_0(%[[A]], %[[C]], %[[X]])
// CHECK-NEXT: linalg.matmul ins(%[[X]], %[[X]]
// CHECK-NEXT: call @f_cold_1(%[[C]], %[[HOT]], %[[A]])
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.dealloc %[[A]]
#cold = {code = {for = "size"}}
func.func @f(%x: memref<8x8xf32>, %hot: memref<8x8xf32>, %c: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8x8xf32>
  linalg.fill {mlirprof.choice = #cold} ins(%zero : f32) outs(%a : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.fill {mlirprof.choice = #cold} ins(%c : f32) outs(%b : memref<8x8xf32>)
  linalg.matmul {mlirprof.choice = #cold} ins(%x, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  linalg.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%hot : memref<8x8xf32>)
  linalg.fill {mlirprof.choice = #cold} ins(%c : f32) outs(%hot : memref<8x8xf32>)
  %e = memref.load %hot[%c0, %c0] : memref<8x8xf32>
  linalg.fill {mlirprof.choice = #cold} ins(%e : f32) outs(%a : memref<8x8xf32>)
  %r = memref.load %a[%c0, %c0] : memref<8x8xf32>
  memref.dealloc %a : memref<8x8xf32>
  memref.dealloc %b : memref<8x8xf32>
  return %r : f32
}

// -----

// What is read between two such ops and used later stays where it is.

// CHECK-LABEL: func.func private @escapes_cold_0(
// CHECK-LABEL: func.func private @escapes_cold_1(
// CHECK-LABEL: func.func @escapes(
// CHECK: call @escapes_cold_0
// CHECK-NEXT: %[[E:.*]] = memref.load
// CHECK-NEXT: call @escapes_cold_1
// CHECK-NEXT: return %[[E]]
func.func @escapes(%x: memref<8xf32>, %c: f32) -> f32 {
  %c0 = arith.constant 0 : index
  linalg.fill {mlirprof.choice = {code = {for = "size"}}} ins(%c : f32) outs(%x : memref<8xf32>)
  %e = memref.load %x[%c0] : memref<8xf32>
  linalg.fill {mlirprof.choice = {code = {for = "size"}}} ins(%e : f32) outs(%x : memref<8xf32>)
  return %e : f32
}

// -----

// A branch that was never taken in 9 runs; one that was seen in 3 runs only
// stays, and so does what was taken once.

// CHECK-LABEL: func.func private @branches_cold_0(
// CHECK: memref.store
// CHECK: memref.store
// CHECK-LABEL: func.func @branches(
// CHECK: scf.if
// CHECK-NEXT: func.call @branches_cold_0
// CHECK-NOT: call
func.func @branches(%x: memref<8xf32>, %a: i1, %b: i1, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %never = llvm.intr.expect.with.probability %a, %true, 0.0 {mlirprof.weights = array<i32: 0, 9>} : i1
  %seldom = llvm.intr.expect.with.probability %b, %true, 0.0 {mlirprof.weights = array<i32: 0, 3>} : i1
  %once = llvm.intr.expect.with.probability %b, %true, 0.1 {mlirprof.weights = array<i32: 1, 9>} : i1
  scf.if %never {
    memref.store %c, %x[%c0] : memref<8xf32>
    memref.store %c, %x[%c1] : memref<8xf32>
  }
  scf.if %seldom {
    memref.store %c, %x[%c0] : memref<8xf32>
    memref.store %c, %x[%c1] : memref<8xf32>
  }
  scf.if %once {
    memref.store %c, %x[%c0] : memref<8xf32>
    memref.store %c, %x[%c1] : memref<8xf32>
  }
  return
}

// -----

// Functions as a whole; without choices nothing changes.

// CHECK-LABEL: func.func private @never() attributes {llvm.linkage = #llvm.linkage<internal>
// CHECK-SAME: passthrough = ["cold", "noinline", "minsize", "optsize"]}
// CHECK-LABEL: func.func @plain(
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: call @never
func.func private @never() attributes {mlirprof.choice = {code = {for = "size"}}} {
  return
}
func.func @plain(%x: memref<8xf32>, %c: f32) {
  linalg.fill ins(%c : f32) outs(%x : memref<8xf32>)
  call @never() : () -> ()
  return
}

// -----

// Sums of rows stay as they are: elements of the input that are added to one
// result stand side by side. So does what knows its place in the loops.

// CHECK-LABEL: func.func private @sums_cold_0(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
func.func @sums(%x: memref<8x4xf32>, %y: memref<4x8xindex>, %r: memref<8xf32>, %n: memref<8xindex>) {
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x4xf32>) outs(%r : memref<8xf32>) attrs = {mlirprof.choice = {code = {for = "size"}}} {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (k, i)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%y : memref<4x8xindex>) outs(%n : memref<8xindex>) attrs = {mlirprof.choice = {code = {for = "size"}}} {
  ^bb0(%a: index, %o: index):
    %k = linalg.index 1 : index
    %s = arith.addi %k, %o : index
    linalg.yield %s : index
  }
  return
}

// -----

// Marks number loops in an order that is not that of the loops any more.

// CHECK-LABEL: func.func private @sized_cold_0(
// CHECK-NOT: mlirprof.loop
// CHECK: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK-NOT: mlirprof.loop
// CHECK-LABEL: func.func @sized(
#cold = {code = {for = "size"}}
func.func @sized(%x: memref<8x?xf32>, %y: memref<?x?xf32>, %a: memref<8x?xf32>) {
  linalg.matmul {mlirprof.choice = #cold, mlirprof.loop_sizes = array<i64: 8, 64, 40>,
                 mlirprof.loop_blocks = array<i64: 0, 64, 1>}
    ins(%x, %y : memref<8x?xf32>, memref<?x?xf32>) outs(%a : memref<8x?xf32>)
  return
}
