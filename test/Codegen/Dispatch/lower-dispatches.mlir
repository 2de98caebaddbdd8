// RUN: %mlir-prof-opt %s --cpu-lower-dispatches | FileCheck %s
// RUN: %mlir-prof-opt %s --cpu-lower-dispatches --convert-scf-to-cf \
// RUN:   --expand-strided-metadata --convert-to-llvm --reconcile-unrealized-casts \
// RUN:   | FileCheck %s --check-prefix=LOWERED

// The declaration becomes one of code that takes addresses.
// CHECK: llvm.mlir.global external @mlirprof_instance(-1 : i32)
// CHECK: llvm.func @scale(!llvm.ptr, !llvm.ptr, i32, i32, i32)
func.func private @scale(memref<?x4xf32>, f32, memref<?x4xf32>)
    attributes {dispatch.kernel}

// Places on the stack are reserved once, outside of the loop.
// CHECK-LABEL: func.func @repeat
// CHECK-COUNT-3: llvm.alloca
// CHECK-NOT: llvm.alloca
// CHECK: scf.for
// CHECK-NOT: llvm.alloca
// The number of the dispatch is stored before the call, and none after it.
// CHECK: %[[SLOT:.*]] = llvm.mlir.addressof @mlirprof_instance
// CHECK: %[[SEVEN:.*]] = llvm.mlir.constant(7 : i32)
// CHECK: llvm.store volatile %[[SEVEN]], %[[SLOT]]
// CHECK: llvm.call @scale(%{{.*}}, %{{.*}}, %[[ZERO:.*]], %[[ZERO]], %[[ZERO]])
// CHECK: llvm.mlir.constant(-1 : i32)
// CHECK: llvm.store volatile
// LOWERED: llvm.func @repeat
// LOWERED-NOT: unrealized_conversion_cast
func.func @repeat(%x: memref<?x4xf32>, %factor: f32, %y: memref<?x4xf32>,
                  %count: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %count step %one {
    dispatch.run @scale ins(%x, %factor : memref<?x4xf32>, f32)
      outs(%y : memref<?x4xf32>) {instance = 7 : i32}
  }
  return
}

func.func private @double(memref<4xf32>, memref<4xf32>) attributes {dispatch.kernel}

// Dispatches share the arrays: of addresses, which is as long as the longest
// one, and of sizes. The third place is that of the number.
// CHECK-LABEL: func.func @share
// CHECK-COUNT-2: llvm.alloca
// CHECK: %[[LENGTH:.*]] = llvm.mlir.constant(3 : i64)
// CHECK-NEXT: llvm.alloca %[[LENGTH]] x !llvm.ptr
// CHECK-NOT: llvm.alloca
// CHECK: llvm.call @double
// CHECK: llvm.call @scale
// CHECK-NOT: llvm.alloca
// CHECK: return
func.func @share(%a: memref<4xf32>, %b: memref<4xf32>, %x: memref<?x4xf32>,
                 %factor: f32, %y: memref<?x4xf32>) {
  dispatch.run @double ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {instance = 1 : i32}
  dispatch.run @scale ins(%x, %factor : memref<?x4xf32>, f32)
    outs(%y : memref<?x4xf32>) {instance = 2 : i32}
  return
}
