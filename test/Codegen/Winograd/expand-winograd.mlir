// RUN: %python %S/add_weights.py %s > %t.mlir
// RUN: %mlir-prof-opt %t.mlir --pass-pipeline='builtin.module(func.func(cpu-winograd{keep-transforms}))' --mlir-elide-resource-strings-if-larger=8 | FileCheck %s
// RUN: %mlir-prof-opt %t.mlir --pass-pipeline='builtin.module(func.func(cpu-winograd{keep-transforms},cpu-expand-winograd,cse))' --mlir-disable-threading --mlir-elide-resource-strings-if-larger=8 -o %t.expanded.mlir
// RUN: %mlir-prof-opt %t.mlir --pass-pipeline='builtin.module(func.func(cpu-winograd,cse))' --mlir-disable-threading --mlir-elide-resource-strings-if-larger=8 -o %t.loops.mlir
// RUN: diff %t.expanded.mlir %t.loops.mlir
// RUN: %mlir-prof-opt %t.mlir --pass-pipeline='builtin.module(func.func(cpu-winograd{keep-transforms vector-bits=8},cpu-expand-winograd{vector-bits=8}))' -o %t.scalar.mlir
// RUN: not grep 'cpu\.' %t.scalar.mlir
// RUN: not grep 'cpu\.' %t.expanded.mlir
// RUN: %mlir-prof-opt %t.mlir --pass-pipeline='builtin.module(func.func(cpu-winograd{keep-transforms},cpu-fuse-elementwise,cpu-apply-rules))' --mlir-elide-resource-strings-if-larger=8 | FileCheck %s --check-prefix=NESTS
// RUN: %mlir-prof-opt %t.mlir --pass-pipeline='builtin.module(func.func(cpu-winograd{keep-transforms},cpu-fuse-elementwise),form-dispatches)' --mlir-elide-resource-strings-if-larger=8 | FileCheck %s --check-prefix=KERNELS

#image = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>

// The transforms of four tiles; choices of the convolution are theirs. The result
// of 6 x 6 is smaller than the tiles.

// CHECK-LABEL: func @layer(
// CHECK: cpu.winograd_input ins(%{{.*}} : tensor<1x10x10x4xf32>) outs(%{{.*}} : tensor<36x4x4xf32>) {mlirprof.choice = {threads = {count = "1"}}, outputs = 4 : i64}
// CHECK: linalg.batch_matmul
// CHECK: %[[SUMS:.*]] = cpu.winograd_output ins(%{{.*}} : tensor<36x4x8xf32>) outs(%{{.*}} : tensor<1x6x6x8xf32>) {mlirprof.choice = {threads = {count = "1"}}, outputs = 4 : i64}
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]], %{{.*}}, %{{.*}} :

// A bias, a residual and an activation are computed on the vectors that are
// stored: the residual where the result is written, so they may share memory.

// NESTS-LABEL: func @layer(
// NESTS-SAME: %{{.*}}: tensor<1x8x8x4xf32>, %[[BIAS:.*]]: tensor<8xf32>, %[[OTHER:.*]]: tensor<1x6x6x8xf32>)
// NESTS: cpu.nest ins(%{{.*}} : tensor<1x10x10x4xf32>) outs(%{{.*}} : tensor<36x4x4xf32>) {
// NESTS: cpu.nest ins(%[[BIAS]], %[[OTHER]], %{{.*}} : tensor<8xf32>, tensor<1x6x6x8xf32>, tensor<36x4x8xf32>) outs(%{{.*}} : tensor<1x6x6x8xf32>) attributes {elementwise = array<i32: 1>} {
// NESTS: ^bb0(%[[B:.*]]: memref<8xf32>, %[[O:.*]]: memref<1x6x6x8xf32>, %{{.*}}: memref<36x4x8xf32>, %[[RESULT:.*]]: memref<1x6x6x8xf32>):
// NESTS: affine.min
// NESTS: vector.transfer_read %[[B]]
// NESTS: vector.transfer_read %[[O]]
// NESTS: arith.maximumf
// NESTS: vector.transfer_write %{{.*}}, %[[RESULT]]
// NESTS-NOT: vector.transfer_read
// NESTS: } {mlirprof.choice = {threads = {count = "1"}}, mlirprof.parallel}
// NESTS: } {mlirprof.choice = {threads = {count = "1"}}, mlirprof.parallel}
// NESTS-NOT: linalg.generic
// NESTS: return

// KERNELS: func.func private @pad_winograd_input(
// KERNELS: func.func private @winograd_output_add_relu(
// KERNELS-LABEL: func.func @layer(
func.func @layer(%image: tensor<1x8x8x4xf32>, %bias: tensor<8xf32>, %other: tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense_resource<filter> : tensor<3x3x4x8xf32>
  %empty = tensor.empty() : tensor<1x6x6x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "winograd4"}, threads = {count = "1"}}}
    ins(%image, %filter : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>)
    outs(%init : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %result = linalg.generic {indexing_maps = [#image, #channel, #image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums, %bias, %other : tensor<1x6x6x8xf32>, tensor<8xf32>, tensor<1x6x6x8xf32>) outs(%empty : tensor<1x6x6x8xf32>) {
  ^bb0(%s: f32, %b: f32, %o: f32, %out: f32):
    %0 = arith.addf %s, %b : f32
    %1 = arith.addf %0, %o : f32
    %2 = arith.maximumf %1, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<1x6x6x8xf32>
  return %result : tensor<1x6x6x8xf32>
}

// A function is not: it would be there for each output of a tile. Nor is another
// op where that was chosen, or one that transposes.

// NESTS-LABEL: func @alone(
// NESTS: cpu.nest ins(%{{.*}} : tensor<36x4x8xf32>) outs(%{{.*}} : tensor<1x6x6x8xf32>) {
// NESTS: math.exp
// NESTS-LABEL: func @chosen(
// NESTS: cpu.nest ins(%{{.*}} : tensor<36x4x8xf32>) outs(%{{.*}} : tensor<1x6x6x8xf32>) {
// NESTS: arith.negf
// NESTS-LABEL: func @transposed(
// NESTS: cpu.nest ins(%{{.*}} : tensor<36x4x8xf32>) outs(%{{.*}} : tensor<1x6x6x8xf32>) {
// NESTS: return
func.func @alone(%image: tensor<1x8x8x4xf32>) -> tensor<1x6x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense_resource<filter> : tensor<3x3x4x8xf32>
  %empty = tensor.empty() : tensor<1x6x6x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "winograd4"}}}
    ins(%image, %filter : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>)
    outs(%init : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %result = linalg.generic {indexing_maps = [#image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : tensor<1x6x6x8xf32>) outs(%empty : tensor<1x6x6x8xf32>) {
  ^bb0(%s: f32, %out: f32):
    %0 = math.exp %s : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x6x8xf32>
  return %result : tensor<1x6x6x8xf32>
}
func.func @chosen(%image: tensor<1x8x8x4xf32>) -> tensor<1x6x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense_resource<filter> : tensor<3x3x4x8xf32>
  %empty = tensor.empty() : tensor<1x6x6x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "winograd4"}, fusion = {with = "none"}}}
    ins(%image, %filter : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>)
    outs(%init : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %result = linalg.generic {indexing_maps = [#image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : tensor<1x6x6x8xf32>) outs(%empty : tensor<1x6x6x8xf32>) {
  ^bb0(%s: f32, %out: f32):
    %0 = arith.negf %s : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x6x8xf32>
  return %result : tensor<1x6x6x8xf32>
}
func.func @transposed(%image: tensor<1x8x8x4xf32>) -> tensor<1x6x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %filter = arith.constant dense_resource<filter> : tensor<3x3x4x8xf32>
  %empty = tensor.empty() : tensor<1x6x6x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %sums = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>,
      mlirprof.choice = {algorithm = {name = "winograd4"}}}
    ins(%image, %filter : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>)
    outs(%init : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %result = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, w, h, c)>, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums : tensor<1x6x6x8xf32>) outs(%empty : tensor<1x6x6x8xf32>) {
  ^bb0(%s: f32, %out: f32):
    %0 = arith.negf %s : f32
    linalg.yield %0 : f32
  } -> tensor<1x6x6x8xf32>
  return %result : tensor<1x6x6x8xf32>
}
