// Large functions are cut into parts: runs of neighbors, with what lies between
// them, and values that one part makes for the next through memory.

// RUN: %mlir-prof-opt %s --cpu-split-large="large=20 most=12 least=4" | FileCheck %s
// RUN: %mlir-prof-opt %s --cpu-split-large="large=200 most=12 least=4" | FileCheck %s --check-prefix=SMALL
// SMALL-NOT: call
// SMALL-NOT: part

// CHECK: func.func private @main_part_0
// CHECK-SAME: passthrough = ["noinline"
// CHECK: linalg.add
// CHECK: func.func @main
// CHECK-NOT: linalg.
// CHECK: call @main_part_0
// CHECK-NOT: linalg.
// CHECK: call @main_part_1
// CHECK-NOT: linalg.
// CHECK: return

// The numbers are those of the plain model.
// RUN: mlir-opt %s -o %t.mlir
// RUN: %mlir-prof record %t.mlir --mode=time --iterations=1 --pipeline=naive --save-results=%t.naive
// RUN: %mlir-prof record %t.mlir --mode=time --iterations=1 --pipeline='cpu-split-large{large=20 most=12 least=4}' --compare=%t.naive/arg0.npy

#map = affine_map<(d0) -> (d0)>
func.func @main(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.add ins(%x, %x : memref<64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.mul ins(%a, %x : memref<64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.mul ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.sub ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.add ins(%a, %x : memref<64xf32>, memref<64xf32>) outs(%x : memref<64xf32>)
  return
}
