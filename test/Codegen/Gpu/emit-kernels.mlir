// RUN: mlir-prof-opt %s --pass-pipeline="builtin.module(func.func(gpu-emit-kernels),canonicalize,cse)" --split-input-file | FileCheck %s

// The pad, the sum and the product with a constant are computed at each element.
// CHECK-LABEL: func.func private @chain
// CHECK-SAME: %[[A:.*]]: memref<3x5xf32>, %[[B:.*]]: memref<5xf32>, %[[OUT:.*]]: memref<4x5xf32>
// CHECK-SAME: mlirprof.block = array<i32: 256, 1, 1>, mlirprof.grid = array<i32: 1, 1, 1>
// CHECK: %[[T:.*]] = gpu.thread_id  x
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: %[[X:.*]] = scf.if
// CHECK: memref.load %[[A]]
// CHECK: %[[Y:.*]] = memref.load %[[B]]
// CHECK: %[[S:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK: memref.store %[[S]], %[[OUT]]
func.func private @chain(%a: memref<3x5xf32>, %b: memref<5xf32>, %out: memref<4x5xf32>)
    attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<3x5xf32> to tensor<3x5xf32>
  %1 = bufferization.to_tensor %b restrict : memref<5xf32> to tensor<5xf32>
  %2 = bufferization.to_tensor %out restrict writable : memref<4x5xf32> to tensor<4x5xf32>
  %p = tensor.pad %0 low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<3x5xf32> to tensor<4x5xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %1 : tensor<4x5xf32>, tensor<5xf32>) outs(%2 : tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %v = arith.addf %x, %y : f32
    linalg.yield %v : f32
  } -> tensor<4x5xf32>
  bufferization.materialize_in_destination %s in restrict writable %out
    : (tensor<4x5xf32>, memref<4x5xf32>) -> ()
  return
}

// -----

// A kernel that inserts a part only writes the part.
// CHECK-LABEL: func.func private @insert
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[AT:.*]]: index, %[[OUT:.*]]: memref<16x4xf32>
// CHECK: %[[X:.*]] = memref.load %[[A]]
// CHECK: memref.store %[[X]], %[[OUT]][%[[AT]], %{{.*}}]
// CHECK-NOT: memref.{{load|store}}
// CHECK: return
func.func private @insert(%a: memref<4xf32>, %at: index, %out: memref<16x4xf32>)
    attributes {dispatch.kernel} {
  %0 = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_tensor %out restrict writable : memref<16x4xf32> to tensor<16x4xf32>
  %2 = tensor.insert_slice %0 into %1[%at, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<16x4xf32>
  bufferization.materialize_in_destination %2 in restrict writable %out
    : (tensor<16x4xf32>, memref<16x4xf32>) -> ()
  return
}

// -----

// Lanes of a warp exchange their sums.
// CHECK-LABEL: func.func private @rows
// CHECK: %[[SUMS:.*]]:4 = scf.for
// CHECK-COUNT-4: arith.addf
// CHECK: arith.addf %[[SUMS]]#0, %[[SUMS]]#1
// CHECK-COUNT-5: gpu.shuffle  xor
// CHECK-NOT: gpu.shuffle
// CHECK: memref.store
func.func private @rows(%a: memref<8192x512xf32>, %out: memref<8192xf32>)
    attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<8192x512xf32> to tensor<8192x512xf32>
  %1 = bufferization.to_tensor %out restrict writable : memref<8192xf32> to tensor<8192xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<8192xf32>) -> tensor<8192xf32>
  %3 = linalg.reduce {arith.addf} ins(%0 : tensor<8192x512xf32>) outs(%2 : tensor<8192xf32>) dimensions = [1]
  bufferization.materialize_in_destination %3 in restrict writable %out
    : (tensor<8192xf32>, memref<8192xf32>) -> ()
  return
}

// -----

// Operands are copied to three tiles in shared memory, two of them ahead. The number of a
// row of a tile permutes its groups of 16 bytes.
// CHECK-LABEL: func.func private @tensor_cores
// CHECK-DAG: memref.alloca() {alignment = 1024 : i64} : memref<3x1x128x32xbf16, 3>
// CHECK-DAG: memref.alloca() {alignment = 1024 : i64} : memref<3x2x32x64xbf16, 3>
// CHECK: arith.xori
// CHECK-COUNT-4: nvgpu.device_async_copy
// CHECK: nvvm.cp.async.commit.group
// CHECK-COUNT-4: nvgpu.device_async_copy
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: scf.if
// CHECK-COUNT-4: nvgpu.device_async_copy
// CHECK: nvvm.cp.async.commit.group
// CHECK-COUNT-32: nvgpu.mma.sync
// CHECK-NOT: nvgpu.mma.sync
func.func private @tensor_cores(%a: memref<256x96xbf16>, %b: memref<96x256xbf16>,
                                %out: memref<256x256xf32>) attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<256x96xbf16> to tensor<256x96xbf16>
  %1 = bufferization.to_tensor %b restrict : memref<96x256xbf16> to tensor<96x256xbf16>
  %2 = bufferization.to_tensor %out restrict writable : memref<256x256xf32> to tensor<256x256xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<256x256xf32>) -> tensor<256x256xf32>
  %4 = linalg.matmul ins(%0, %1 : tensor<256x96xbf16>, tensor<96x256xbf16>) outs(%3 : tensor<256x256xf32>) -> tensor<256x256xf32>
  bufferization.materialize_in_destination %4 in restrict writable %out
    : (tensor<256x256xf32>, memref<256x256xf32>) -> ()
  return
}

// -----

// Rows of 100 elements are not groups of 16 bytes: threads load and store them.
// CHECK-LABEL: func.func private @tensor_cores_of_elements
// CHECK-DAG: memref.alloca() {alignment = 16 : i64} : memref<2x128x40xbf16, 3>
// CHECK-DAG: memref.alloca() {alignment = 16 : i64} : memref<2x32x136xbf16, 3>
// CHECK-NOT: nvgpu.device_async_copy
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK-COUNT-32: nvgpu.mma.sync
// CHECK-NOT: nvgpu.mma.sync
// CHECK: gpu.barrier
func.func private @tensor_cores_of_elements(%a: memref<256x100xbf16>, %b: memref<100x256xbf16>,
                                            %out: memref<256x256xf32>)
    attributes {dispatch.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<256x100xbf16> to tensor<256x100xbf16>
  %1 = bufferization.to_tensor %b restrict : memref<100x256xbf16> to tensor<100x256xbf16>
  %2 = bufferization.to_tensor %out restrict writable : memref<256x256xf32> to tensor<256x256xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<256x256xf32>) -> tensor<256x256xf32>
  %4 = linalg.matmul ins(%0, %1 : tensor<256x100xbf16>, tensor<100x256xbf16>) outs(%3 : tensor<256x256xf32>) -> tensor<256x256xf32>
  bufferization.materialize_in_destination %4 in restrict writable %out
    : (tensor<256x256xf32>, memref<256x256xf32>) -> ()
  return
}

// -----

// Products of a tile are still running while the next copies start: they go to the tile of
// which the products are done, two behind.
// CHECK-LABEL: func.func private @warpgroups
// CHECK-SAME: mlirprof.block = array<i32: 256, 1, 1>
// CHECK-SAME: nvvm.minctasm = 1 : i32
// CHECK-DAG: memref.alloca() {alignment = 1024 : i64} : memref<4x1x128x64xbf16, 3>
// CHECK-DAG: memref.alloca() {alignment = 1024 : i64} : memref<4x4x64x64xbf16, 3>
// CHECK: %[[SUMS:.*]] = scf.for {{.*}} -> (!llvm.struct<
// CHECK: nvvm.cp.async.wait.group 1
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK: gpu.barrier
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 256, k = 16>
// CHECK-NOT: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: scf.if
// CHECK-COUNT-12: nvgpu.device_async_copy
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: }
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-COUNT-128: llvm.extractvalue
func.func private @warpgroups(%a: memref<256x96xbf16>, %b: memref<96x256xbf16>,
                              %out: memref<256x256xf32>)
    attributes {dispatch.kernel,
                mlirprof.gpu = {strategy = "warpgroup", threads = 256 : i64, rows = 128 : i64,
                                columns = 256 : i64, depth = 64 : i64, stages = 4 : i64}} {
  %zero = arith.constant 0.0 : f32
  %0 = bufferization.to_tensor %a restrict : memref<256x96xbf16> to tensor<256x96xbf16>
  %1 = bufferization.to_tensor %b restrict : memref<96x256xbf16> to tensor<96x256xbf16>
  %2 = bufferization.to_tensor %out restrict writable : memref<256x256xf32> to tensor<256x256xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<256x256xf32>) -> tensor<256x256xf32>
  %4 = linalg.matmul ins(%0, %1 : tensor<256x96xbf16>, tensor<96x256xbf16>) outs(%3 : tensor<256x256xf32>) -> tensor<256x256xf32>
  bufferization.materialize_in_destination %4 in restrict writable %out
    : (tensor<256x256xf32>, memref<256x256xf32>) -> ()
  return
}
