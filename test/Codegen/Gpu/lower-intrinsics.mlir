// RUN: mlir-prof-opt %s --pass-pipeline="builtin.module(func.func(gpu-lower-intrinsics))" | FileCheck %s

// CHECK-LABEL: func.func @positions
// CHECK: %[[X:.*]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 256> : i32
// CHECK: arith.index_castui %[[X]] : i32 to index
// CHECK: nvvm.read.ptx.sreg.ctaid.y : i32
func.func @positions() -> (index, index) {
  %x = gpu.thread_id x upper_bound 256
  %y = gpu.block_id y
  return %x, %y : index, index
}

// CHECK-LABEL: func.func @shuffle
// CHECK: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32)
// CHECK: nvvm.shfl.sync bfly %[[ALL]], %{{.*}}, %{{.*}}, %{{.*}} : f32 -> f32
// CHECK: nvvm.barrier0
func.func @shuffle(%x: f32) -> f32 {
  %distance = arith.constant 8 : i32
  %width = arith.constant 32 : i32
  %y, %ok = gpu.shuffle xor %x, %distance, %width : f32
  gpu.barrier
  return %y : f32
}

// CHECK-LABEL: func.func @product
// CHECK-COUNT-6: vector.bitcast %{{.*}} : vector<2xbf16> to vector<1xi32>
// CHECK: nvvm.mma.sync
// CHECK-SAME: multiplicandAPtxType = #nvvm.mma_type<bf16>
// CHECK: vector.from_elements
func.func @product(%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xf32>)
    -> vector<2x2xf32> {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]}
    : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return %d : vector<2x2xf32>
}
