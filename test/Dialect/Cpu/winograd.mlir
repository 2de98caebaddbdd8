// RUN: %mlir-prof-opt %s --split-input-file --verify-diagnostics | %mlir-prof-opt --split-input-file | FileCheck %s

// CHECK-LABEL: func @transforms(
// CHECK: cpu.winograd_input ins(%{{.*}} : tensor<2x14x10x16xf32>) outs(%{{.*}} : tensor<36x12x16xf32>) {outputs = 4 : i64} -> tensor<36x12x16xf32>
// CHECK: cpu.winograd_output ins(%{{.*}} : tensor<36x12x16xf32>) outs(%{{.*}} : tensor<2x11x8x16xf32>) {outputs = 4 : i64} -> tensor<2x11x8x16xf32>
func.func @transforms(%image: tensor<2x14x10x16xf32>, %tiles: tensor<36x12x16xf32>, %init: tensor<2x11x8x16xf32>) -> tensor<2x11x8x16xf32> {
  %0 = cpu.winograd_input ins(%image : tensor<2x14x10x16xf32>) outs(%tiles : tensor<36x12x16xf32>) {outputs = 4} -> tensor<36x12x16xf32>
  %1 = cpu.winograd_output ins(%0 : tensor<36x12x16xf32>) outs(%init : tensor<2x11x8x16xf32>) {outputs = 4} -> tensor<2x11x8x16xf32>
  return %1 : tensor<2x11x8x16xf32>
}

// -----

func.func @outputs(%image: tensor<1x5x5x4xf32>, %tiles: tensor<25x1x4xf32>) {
  // expected-error@below {{must have 2 or 4 outputs a side}}
  %0 = cpu.winograd_input ins(%image : tensor<1x5x5x4xf32>) outs(%tiles : tensor<25x1x4xf32>) {outputs = 3} -> tensor<25x1x4xf32>
  return
}

// -----

func.func @sizes(%image: tensor<1x?x6x4xf32>, %tiles: tensor<16x4x4xf32>) {
  // expected-error@below {{must have tensors of known sizes}}
  %0 = cpu.winograd_input ins(%image : tensor<1x?x6x4xf32>) outs(%tiles : tensor<16x4x4xf32>) {outputs = 2} -> tensor<16x4x4xf32>
  return
}

// -----

func.func @small(%image: tensor<1x2x6x4xf32>, %tiles: tensor<16x0x4xf32>) {
  // expected-error@below {{must have an image with outputs, not 'tensor<1x2x6x4xf32>'}}
  %0 = cpu.winograd_input ins(%image : tensor<1x2x6x4xf32>) outs(%tiles : tensor<16x0x4xf32>) {outputs = 2} -> tensor<16x0x4xf32>
  return
}

// -----

func.func @covered(%image: tensor<1x7x6x4xf32>, %tiles: tensor<16x6x4xf32>) {
  // expected-error@below {{must have tiles that cover 'tensor<1x7x6x4xf32>'}}
  %0 = cpu.winograd_input ins(%image : tensor<1x7x6x4xf32>) outs(%tiles : tensor<16x6x4xf32>) {outputs = 2} -> tensor<16x6x4xf32>
  return
}

// -----

func.func @tiles(%products: tensor<16x5x4xf32>, %init: tensor<1x5x4x4xf32>) {
  // expected-error@below {{must have the tiles of 'tensor<1x5x4x4xf32>', not 'tensor<16x5x4xf32>'}}
  %0 = cpu.winograd_output ins(%products : tensor<16x5x4xf32>) outs(%init : tensor<1x5x4x4xf32>) {outputs = 2} -> tensor<1x5x4x4xf32>
  return
}
