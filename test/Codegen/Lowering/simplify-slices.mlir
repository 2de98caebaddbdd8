// Slices that bufferization cannot take: without elements, or with strides of
// dimensions of one element.

// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-simplify-slices))' | FileCheck %s

// CHECK-LABEL: func.func @concat(
// CHECK-SAME: %[[A:.*]]: tensor<3x5xf32>, %[[N:.*]]: tensor<3x0xf32>, %[[D:.*]]: tensor<3x?xf32>
func.func @concat(%a: tensor<3x5xf32>, %n: tensor<3x0xf32>, %d: tensor<3x?xf32>)
    -> (tensor<3x5xf32>, tensor<3x?xf32>, tensor<3x0xf32>) {
  %0 = tensor.concat dim(1) %n, %a, %n : (tensor<3x0xf32>, tensor<3x5xf32>, tensor<3x0xf32>) -> tensor<3x5xf32>
  // CHECK: %[[ALL:.*]] = tensor.concat dim(1) %[[A]], %[[D]] :
  %1 = tensor.concat dim(1) %a, %n, %d : (tensor<3x5xf32>, tensor<3x0xf32>, tensor<3x?xf32>) -> tensor<3x?xf32>
  // CHECK: %[[NONE:.*]] = tensor.empty() : tensor<3x0xf32>
  %2 = tensor.concat dim(1) %n, %n : (tensor<3x0xf32>, tensor<3x0xf32>) -> tensor<3x0xf32>
  // CHECK: return %[[A]], %[[ALL]], %[[NONE]]
  return %0, %1, %2 : tensor<3x5xf32>, tensor<3x?xf32>, tensor<3x0xf32>
}

// CHECK-LABEL: func.func @empty(
// CHECK-SAME: %[[A:.*]]: tensor<?x5xf32>, %[[N:.*]]: tensor<3x0xf32>, %[[I:.*]]: index
func.func @empty(%a: tensor<?x5xf32>, %n: tensor<3x0xf32>, %i: index)
    -> (tensor<?x0xf32>, tensor<?x5xf32>) {
  // CHECK: %[[NONE:.*]] = tensor.empty(%[[I]]) : tensor<?x0xf32>
  %0 = tensor.extract_slice %a[0, 4] [%i, 0] [1, 1] : tensor<?x5xf32> to tensor<?x0xf32>
  %1 = tensor.insert_slice %n into %a[0, 4] [3, 0] [1, 1] : tensor<3x0xf32> into tensor<?x5xf32>
  // CHECK: return %[[NONE]], %[[A]]
  return %0, %1 : tensor<?x0xf32>, tensor<?x5xf32>
}

// CHECK-LABEL: func.func @strides(
// CHECK-SAME: %[[A:.*]]: tensor<13x2x4xf32>, %[[I:.*]]: index
func.func @strides(%a: tensor<13x2x4xf32>, %i: index)
    -> (tensor<2x1xf32>, tensor<13x2x4xf32>, tensor<2x2x2xf32>) {
  // CHECK: %[[S:.*]] = tensor.extract_slice %[[A]][0, 0, 0] [2, 1, 1] [1, 1, 1] : tensor<13x2x4xf32> to tensor<2x1xf32>
  %0 = tensor.extract_slice %a[0, 0, 0] [2, 1, 1] [1, 2, %i] : tensor<13x2x4xf32> to tensor<2x1xf32>
  // CHECK: tensor.insert_slice %[[S]] into %[[A]][%[[I]], 0, 0] [2, 1, 1] [%[[I]], 1, 1] :
  %1 = tensor.insert_slice %0 into %a[%i, 0, 0] [2, 1, 1] [%i, 2, 1] : tensor<2x1xf32> into tensor<13x2x4xf32>
  // What is used stays.
  // CHECK: tensor.extract_slice %[[A]][0, 0, 0] [2, 2, 2] [6, 1, 2] :
  %2 = tensor.extract_slice %a[0, 0, 0] [2, 2, 2] [6, 1, 2] : tensor<13x2x4xf32> to tensor<2x2x2xf32>
  return %0, %1, %2 : tensor<2x1xf32>, tensor<13x2x4xf32>, tensor<2x2x2xf32>
}

// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[A:.*]]: memref<5x2x4xf32>, %[[I:.*]]: index
func.func @views(%a: memref<5x2x4xf32>, %i: index)
    -> (memref<2x1xf32, strided<[8, 12], offset: 26>>, memref<?x1xf32, strided<[8, 28], offset: ?>>,
        memref<2x1xf32, strided<[8, 1]>>, memref<2x1x1xf32, strided<[8, 12, 1], offset: 26>>) {
  // CHECK: %[[B:.*]], %{{.*}}, %{{.*}}:3, %{{.*}}:3 = memref.extract_strided_metadata %[[A]]
  // CHECK: memref.reinterpret_cast %[[B]] to offset: [26], sizes: [2, 1], strides: [8, 12] :
  %0 = memref.subview %a[3, 0, 2] [2, 1, 1] [1, 3, 1] : memref<5x2x4xf32> to memref<2x1xf32, strided<[8, 12], offset: 26>>
  // CHECK: %[[C:.*]], %{{.*}}, %{{.*}}:3, %{{.*}}:3 = memref.extract_strided_metadata %[[A]]
  // CHECK: %[[O:.*]] = affine.apply #{{.*}}()[%[[I]]]
  // CHECK: memref.reinterpret_cast %[[C]] to offset: [%[[O]]], sizes: [%[[I]], 1], strides: [8, 28] :
  %1 = memref.subview %a[%i, 1, 3] [%i, 1, 1] [1, 7, 1] : memref<5x2x4xf32> to memref<?x1xf32, strided<[8, 28], offset: ?>>
  // Where each stride is one of the source, and where nothing is dropped.
  // CHECK: memref.subview
  // CHECK: memref.subview
  %2 = memref.subview %a[0, 0, 0] [2, 1, 1] [1, 1, 1] : memref<5x2x4xf32> to memref<2x1xf32, strided<[8, 1]>>
  %3 = memref.subview %a[3, 0, 2] [2, 1, 1] [1, 3, 1] : memref<5x2x4xf32> to memref<2x1x1xf32, strided<[8, 12, 1], offset: 26>>
  return %0, %1, %2, %3 : memref<2x1xf32, strided<[8, 12], offset: 26>>, memref<?x1xf32, strided<[8, 28], offset: ?>>, memref<2x1xf32, strided<[8, 1]>>, memref<2x1x1xf32, strided<[8, 12, 1], offset: 26>>
}

// CHECK-LABEL: func.func @dense(
// CHECK-SAME: %[[A:.*]]: tensor<3x1xf32>, %[[B:.*]]: tensor<3x2xf32>, %[[C:.*]]: tensor<3x4xf32>
func.func @dense(%a: tensor<3x1xf32>, %b: tensor<3x2xf32>, %c: tensor<3x4xf32>)
    -> (tensor<3x3xf32>, tensor<3x7xf32>, tensor<3x11xf32>, tensor<3x7xf32>, tensor<9x1xf32>) {
  // CHECK: %[[AB:.*]] = tensor.concat dim(1) %[[A]], %[[B]] :
  %0 = tensor.concat dim(1) %a, %b : (tensor<3x1xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
  // CHECK: %[[ABC:.*]] = tensor.concat dim(1) %[[AB]], %[[C]] :
  %1 = tensor.concat dim(1) %a, %b, %c : (tensor<3x1xf32>, tensor<3x2xf32>, tensor<3x4xf32>) -> tensor<3x7xf32>
  // CHECK: %[[ABCC:.*]] = tensor.concat dim(1) %[[ABC]], %[[C]] :
  %2 = tensor.concat dim(1) %a, %b, %c, %c : (tensor<3x1xf32>, tensor<3x2xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x11xf32>
  // Other parts, or along another dimension.
  // CHECK: %[[ACB:.*]] = tensor.concat dim(1) %[[A]], %[[C]], %[[B]] :
  %3 = tensor.concat dim(1) %a, %c, %b : (tensor<3x1xf32>, tensor<3x4xf32>, tensor<3x2xf32>) -> tensor<3x7xf32>
  // CHECK: tensor.concat dim(0) %[[A]], %[[A]], %[[A]] :
  %4 = tensor.concat dim(1) %a, %a : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %5 = tensor.concat dim(0) %a, %a, %a : (tensor<3x1xf32>, tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<9x1xf32>
  return %0, %1, %2, %3, %5 : tensor<3x3xf32>, tensor<3x7xf32>, tensor<3x11xf32>, tensor<3x7xf32>, tensor<9x1xf32>
}
