// An attribute on an op can change what is compiled: CSE keeps two equal ops
// apart whose times differ. Carried by location the same times change nothing.

// RUN: %mlir-prof-opt --cse %s | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: %mlir-prof-opt --prof-strip --cse %s | FileCheck %s --check-prefix=ONE
// RUN: %mlir-prof-opt --cse %data/modules/carried.mlir | FileCheck %s --check-prefix=ONE

// ATTRIBUTE-COUNT-2: math.tanh
// ONE-COUNT-1: math.tanh
// ONE-NOT: math.tanh
func.func @f(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = math.tanh %x {prof.data = #prof.data<count = 1, sole_ps = 5>} : tensor<8xf32>
  %1 = math.tanh %x {prof.data = #prof.data<count = 1, sole_ps = 6>} : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
