// Small code calls kernels in a loop, which a table of constants tells their arguments.

// RUN: %mlir-prof-opt %s --cpu-lower-dispatches | FileCheck %s

func.func private @scale(memref<?xi8>, index, memref<?xi8>) attributes {dispatch.kernel}

// Offsets of what is in the arena.
// CHECK-DAG: llvm.mlir.global private constant @[[OFFSETS:.*]](dense<[0, 0, 0, 8, 8, 0, 0, 8, 8, 0, 0]> : tensor<11xi32>)
// For each run the number of its bindings, and for each binding the number of its base; 0 for
// a constant.
// CHECK-DAG: llvm.mlir.global private constant @[[BASES:.*]](dense<[3, 1, 0, 2, 3, 2, 0, 2, 3, 2, 0, 2, 3, 2, 0, 2, 3, 2, 0, 3]> : tensor<20xi8>)
// The size of an operand before it was cast, and a number.
// CHECK-DAG: llvm.mlir.global private constant @[[SIZES:.*]](dense<8> : tensor<2xi64>)
// CHECK-DAG: llvm.mlir.global private constant @[[THREE:.*]](dense<3> : tensor<1xi64>)
// CHECK-DAG: llvm.mlir.addressof @[[SIZES]]
// CHECK-DAG: llvm.mlir.addressof @[[THREE]]
// CHECK-DAG: llvm.mlir.addressof @scale

// CHECK-LABEL: func.func @five
// CHECK-NOT: small_code
// CHECK-NOT: llvm.call
// CHECK: call @mlirprof_run_steps(%c5
// CHECK-NEXT: return
func.func @five(%in: memref<8xi8>, %arena: memref<16xi8>, %out: memref<8xi8>)
    attributes {mlirprof.small_code} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %a = memref.view %arena[%c0][] : memref<16xi8> to memref<8xi8>
  %b = memref.view %arena[%c8][] : memref<16xi8> to memref<8xi8>
  %x = memref.cast %in : memref<8xi8> to memref<?xi8>
  %y = memref.cast %a : memref<8xi8> to memref<?xi8>
  %z = memref.cast %b : memref<8xi8> to memref<?xi8>
  %r = memref.cast %out : memref<8xi8> to memref<?xi8>
  dispatch.run @scale ins(%x, %c3 : memref<?xi8>, index) outs(%y : memref<?xi8>)
  dispatch.run @scale ins(%y, %c3 : memref<?xi8>, index) outs(%z : memref<?xi8>)
  dispatch.run @scale ins(%z, %c3 : memref<?xi8>, index) outs(%y : memref<?xi8>)
  dispatch.run @scale ins(%y, %c3 : memref<?xi8>, index) outs(%z : memref<?xi8>)
  dispatch.run @scale ins(%z, %c3 : memref<?xi8>, index) outs(%r : memref<?xi8>)
  return
}

// A loop is more code than few calls, and than calls with numbers that are not known.
// CHECK-LABEL: func.func @few
// CHECK-NOT: @mlirprof_run_steps
// CHECK-COUNT-2: llvm.call @scale
func.func @few(%in: memref<8xi8>, %out: memref<8xi8>) attributes {mlirprof.small_code} {
  %c3 = arith.constant 3 : index
  %x = memref.cast %in : memref<8xi8> to memref<?xi8>
  %r = memref.cast %out : memref<8xi8> to memref<?xi8>
  dispatch.run @scale ins(%x, %c3 : memref<?xi8>, index) outs(%r : memref<?xi8>)
  dispatch.run @scale ins(%x, %c3 : memref<?xi8>, index) outs(%r : memref<?xi8>)
  return
}

// CHECK-LABEL: func.func private @mlirprof_run_steps
// CHECK: llvm.alloca %{{.*}} x !llvm.ptr
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.if
// CHECK: llvm.call %{{.*}}(
