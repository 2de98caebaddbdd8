// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-swap-buffers))' | FileCheck %s

// The value that a loop carries takes turns in the halves of one buffer.

func.func private @step(memref<100xf32>, memref<100xf32>)
func.func private @use(memref<100xf32>)

// 100 numbers take 400 bytes; the second half begins at the next multiple of 64.
// CHECK-LABEL: func.func @computed(
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: memref<100xf32>
// CHECK: %[[BOTH:.*]] = memref.alloc() {alignment = 64 : i64} : memref<896xi8>
// CHECK: %[[HALF:.*]] = memref.view %[[BOTH]]
// CHECK: memref.copy %[[FIRST]], %[[HALF]]
// CHECK: %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[OFFSET:.*]] = %{{.*}}) -> (index)
// CHECK: %[[SIZE:.*]] = arith.constant 448 : index
// CHECK: %[[OTHER:.*]] = arith.subi %[[SIZE]], %[[OFFSET]]
// CHECK-DAG: %[[CURRENT:.*]] = memref.view %[[BOTH]][%[[OFFSET]]]
// CHECK-DAG: %[[NEXT:.*]] = memref.view %[[BOTH]][%[[OTHER]]]
// CHECK-NOT: memref.alloc
// CHECK: call @step(%[[CURRENT]], %[[NEXT]])
// CHECK-NOT: memref.copy
// CHECK: scf.yield %[[OTHER]]
// CHECK: %[[RESULT:.*]] = memref.view %[[BOTH]][%[[LAST]]]
// CHECK: call @use(%[[RESULT]])
func.func @computed(%first: memref<100xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %first) -> (memref<100xf32>) {
    %sum = memref.alloc() : memref<100xf32>
    func.call @step(%h, %sum) : (memref<100xf32>, memref<100xf32>) -> ()
    %next = memref.alloc() : memref<100xf32>
    memref.copy %sum, %next : memref<100xf32> to memref<100xf32>
    scf.yield %next : memref<100xf32>
  }
  call @use(%last) : (memref<100xf32>) -> ()
  return
}

// A buffer that the loop does not own is copied, into the other half.
// CHECK-LABEL: func.func @copied(
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: memref<100xf32>, %[[GIVEN:[a-z0-9]+]]: memref<100xf32>
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: memref.copy %[[GIVEN]], %{{.*}} : memref<100xf32> to memref<100xf32>
// CHECK: scf.yield %{{.*}} : index
func.func @copied(%first: memref<100xf32>, %given: memref<100xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %first) -> (memref<100xf32>) {
    func.call @step(%h, %given) : (memref<100xf32>, memref<100xf32>) -> ()
    %next = memref.alloc() : memref<100xf32>
    memref.copy %given, %next : memref<100xf32> to memref<100xf32>
    scf.yield %next : memref<100xf32>
  }
  call @use(%last) : (memref<100xf32>) -> ()
  return
}

// A size that is not known stays as it is.
// CHECK-LABEL: func.func @unknown(
// CHECK: scf.for {{.*}} -> (memref<?xf32>)
// CHECK: memref.alloc(
func.func @unknown(%first: memref<?xf32>, %given: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %first) -> (memref<?xf32>) {
    %next = memref.alloc(%n) : memref<?xf32>
    memref.copy %given, %next : memref<?xf32> to memref<?xf32>
    scf.yield %next : memref<?xf32>
  }
  return %last : memref<?xf32>
}
