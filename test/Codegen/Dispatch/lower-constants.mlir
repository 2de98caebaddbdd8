// RUN: %mlir-prof-opt %s --cpu-lower-dispatches | FileCheck %s --check-prefixes=CHECK,CALL
// RUN: %mlir-prof-opt %s --cpu-lower-dispatches=threads=2 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,PROGRAM
// RUN: %mlir-prof-opt %s --cpu-lower-dispatches --convert-scf-to-cf \
// RUN:   --expand-strided-metadata --convert-to-llvm --reconcile-unrealized-casts \
// RUN:   | FileCheck %s --check-prefix=LOWERED

// Constants that only dispatches read are globals of LLVM at once, of the type, value,
// linkage and alignment that upstream's conversion gives them.
// CHECK-DAG: llvm.mlir.global private constant @weights(dense<{{.*}}> : tensor<2x2xf32>) {{.*}}alignment = 64{{.*}} : !llvm.array<2 x array<2 x f32>>
// CHECK-DAG: llvm.mlir.global external constant @counts(dense<{{.*}}> : tensor<4xi8>) {{.*}}: !llvm.array<4 x i8>
// LOWERED-DAG: llvm.mlir.global private constant @weights(dense<{{.*}}> : tensor<2x2xf32>) {{.*}}alignment = 64{{.*}} : !llvm.array<2 x array<2 x f32>>
// LOWERED-DAG: llvm.mlir.global external constant @counts(dense<{{.*}}> : tensor<4xi8>) {{.*}}: !llvm.array<4 x i8>
memref.global "private" constant @weights : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
    {alignment = 64 : i64}
memref.global constant @counts : memref<4xi8> = dense<[1, 2, 3, 4]>

// PROGRAM-DAG: llvm.mlir.global internal constant @mlirprof_constants_0() {{.*}}mlirprof.addresses = ["weights", "counts", "", "", "", "", ""]{{.*}} : !llvm.array<7 x ptr>

// Others stay: the host side reads them, too, or writes them, or they are numbers.
// CHECK-DAG: memref.global "private" constant @table
// CHECK-DAG: memref.global "private" @state
// CHECK-DAG: memref.global "private" constant @number
memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global "private" @state : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global "private" constant @number : memref<f32> = dense<1.0>

func.func private @use(memref<4xf32>, memref<4xi8>, memref<4xf32>, memref<4xf32>, memref<f32>,
                       memref<4xf32>) attributes {dispatch.kernel}

// CHECK-LABEL: func.func @main
// CHECK-NOT: memref.get_global @weights
// CHECK-NOT: memref.get_global @counts
// CALL-DAG: llvm.mlir.addressof @weights
// CALL-DAG: llvm.mlir.addressof @counts
// A program copies the addresses of all constants; those of the five others are stored.
// PROGRAM-NOT: llvm.mlir.addressof @weights
// PROGRAM: %[[ADDRESSES:.*]] = llvm.alloca
// PROGRAM: %[[KNOWN:.*]] = llvm.mlir.addressof @mlirprof_constants_0
// PROGRAM: %[[BYTES:.*]] = llvm.mlir.constant(56 : i64)
// PROGRAM: "llvm.intr.memcpy"(%[[ADDRESSES]], %[[KNOWN]], %[[BYTES]])
// PROGRAM: %[[THIRD:.*]] = llvm.getelementptr %[[ADDRESSES]][2]
// PROGRAM: llvm.store %{{.*}}, %[[THIRD]]
// LOWERED-LABEL: llvm.func @main
// LOWERED-NOT: unrealized_conversion_cast
func.func @main(%out: memref<4xf32>, %i: index) -> f32 {
  %weights = memref.get_global @weights : memref<2x2xf32>
  %flat = memref.collapse_shape %weights [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  %counts = memref.get_global @counts : memref<4xi8>
  %table = memref.get_global @table : memref<4xf32>
  %state = memref.get_global @state : memref<4xf32>
  %number = memref.get_global @number : memref<f32>
  dispatch.run @use ins(%flat, %counts, %table, %state, %number
      : memref<4xf32>, memref<4xi8>, memref<4xf32>, memref<4xf32>, memref<f32>)
    outs(%out : memref<4xf32>) {instance = 0 : i32}
  %r = memref.load %table[%i] : memref<4xf32>
  return %r : f32
}
