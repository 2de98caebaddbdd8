// Which loops threads may share is proven: a mark in a model proves nothing.

// RUN: %mlir-prof-opt %s --pass-pipeline='builtin.module(func.func(cpu-apply-rules))' | FileCheck %s

// A mark that is wrong: each trip reads what the one before has written.

// CHECK-LABEL: func @prefix_sum(
// CHECK-NOT: mlirprof.parallel
// CHECK: return
func.func @prefix_sum(%a: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<64xf32>) {
    %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
    %x = vector.transfer_read %t[%i], %zero : tensor<64xf32>, vector<1xf32>
    %y = vector.transfer_read %t[%j], %zero : tensor<64xf32>, vector<1xf32>
    %s = arith.addf %x, %y : vector<1xf32>
    %w = vector.transfer_write %s, %t[%j] : vector<1xf32>, tensor<64xf32>
    scf.yield %w : tensor<64xf32>
  } {mlirprof.parallel}
  return %r : tensor<64xf32>
}

// The same in memory.

// CHECK-LABEL: func @in_memory(
// CHECK-NOT: mlirprof.parallel
// CHECK: return
func.func @in_memory(%a: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  scf.for %i = %c1 to %n step %c1 {
    %j = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
    %x = memref.load %a[%j] : memref<64xf32>
    memref.store %x, %a[%i] : memref<64xf32>
  } {mlirprof.parallel}
  return
}

// Places are sums of the variables; those of one trip of a loop reach as far as
// its next one begins.

// CHECK-LABEL: func @tiles(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: } {mlirprof.parallel}
// CHECK: } {mlirprof.parallel}
// CHECK: } {mlirprof.parallel}
// CHECK: return
func.func @tiles(%x: vector<8xf32>, %init: tensor<2x15x16xf32>) -> tensor<2x15x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %init) -> (tensor<2x15x16xf32>) {
    %1 = scf.for %j = %c0 to %c5 step %c1 iter_args(%b = %a) -> (tensor<2x15x16xf32>) {
      %2 = scf.for %k = %c0 to %c16 step %c8 iter_args(%c = %b) -> (tensor<2x15x16xf32>) {
        %n = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%i, %j)
        %3 = vector.transfer_write %x, %c[%c0, %n, %k] : vector<8xf32>, tensor<2x15x16xf32>
        %4 = vector.transfer_write %x, %3[%c1, %n, %k] : vector<8xf32>, tensor<2x15x16xf32>
        scf.yield %4 : tensor<2x15x16xf32>
      }
      scf.yield %2 : tensor<2x15x16xf32>
    }
    scf.yield %1 : tensor<2x15x16xf32>
  }
  return %0 : tensor<2x15x16xf32>
}

// One row less a step: the last of one trip is the first of the next. Rows of
// one trip are apart.

// CHECK-LABEL: func @overlap(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: } {mlirprof.parallel}
// CHECK-NOT: mlirprof.parallel
// CHECK: return
func.func @overlap(%x: vector<8xf32>, %init: tensor<15x8xf32>) -> tensor<15x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %init) -> (tensor<15x8xf32>) {
    %1 = scf.for %j = %c0 to %c5 step %c1 iter_args(%b = %a) -> (tensor<15x8xf32>) {
      %n = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %j)
      %3 = vector.transfer_write %x, %b[%n, %c0] : vector<8xf32>, tensor<15x8xf32>
      scf.yield %3 : tensor<15x8xf32>
    }
    scf.yield %1 : tensor<15x8xf32>
  }
  return %0 : tensor<15x8xf32>
}

// Vectors wider than the step; and all trips writing one place.

// CHECK-LABEL: func @wide(
// CHECK-NOT: mlirprof.parallel
// CHECK: return
func.func @wide(%x: vector<8xf32>, %init: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c48 = arith.constant 48 : index
  %0 = scf.for %i = %c0 to %c48 step %c4 iter_args(%a = %init) -> (tensor<64xf32>) {
    %1 = vector.transfer_write %x, %a[%i] : vector<8xf32>, tensor<64xf32>
    scf.yield %1 : tensor<64xf32>
  } {mlirprof.parallel}
  %2 = scf.for %i = %c0 to %c48 step %c4 iter_args(%a = %init) -> (tensor<64xf32>) {
    %3 = vector.transfer_write %x, %a[%c4] : vector<8xf32>, tensor<64xf32>
    scf.yield %3 : tensor<64xf32>
  } {mlirprof.parallel}
  return %0, %2 : tensor<64xf32>, tensor<64xf32>
}

// A second tensor, whose place all trips would share.

// CHECK-LABEL: func @scratch(
// CHECK-NOT: mlirprof.parallel
// CHECK: return
func.func @scratch(%x: tensor<64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %scratch = tensor.empty() : tensor<8xf32>
  %0 = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %init) -> (tensor<64xf32>) {
    %v = vector.transfer_read %x[%i], %zero : tensor<64xf32>, vector<8xf32>
    %s = vector.transfer_write %v, %scratch[%c0] : vector<8xf32>, tensor<8xf32>
    %w = vector.transfer_read %s[%c0], %zero : tensor<8xf32>, vector<8xf32>
    %1 = vector.transfer_write %w, %a[%i] : vector<8xf32>, tensor<64xf32>
    scf.yield %1 : tensor<64xf32>
  } {mlirprof.parallel}
  return %0 : tensor<64xf32>
}

// Slices; a place that is no sum; a size that is not known.

// CHECK-LABEL: func @slices(
// CHECK: scf.for
// CHECK: } {mlirprof.parallel}
// CHECK-NOT: mlirprof.parallel
// CHECK: return
func.func @slices(%x: tensor<8xf32>, %init: tensor<64xf32>, %size: index, %y: tensor<?xf32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %0 = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %init) -> (tensor<64xf32>) {
    %1 = tensor.insert_slice %x into %a[%i] [8] [1] : tensor<8xf32> into tensor<64xf32>
    scf.yield %1 : tensor<64xf32>
  }
  %2 = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %init) -> (tensor<64xf32>) {
    %j = affine.apply affine_map<(d0) -> (d0 mod 16)>(%i)
    %3 = tensor.insert_slice %x into %a[%j] [8] [1] : tensor<8xf32> into tensor<64xf32>
    scf.yield %3 : tensor<64xf32>
  } {mlirprof.parallel}
  %4 = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %init) -> (tensor<64xf32>) {
    %5 = tensor.insert_slice %y into %a[%i] [%size] [1] : tensor<?xf32> into tensor<64xf32>
    scf.yield %5 : tensor<64xf32>
  } {mlirprof.parallel}
  return %0, %2, %4 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
