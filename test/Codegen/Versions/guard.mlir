// Choices for ops of dynamic sizes hold in the versions for sizes, and the
// function as it was has none of them. Those for ops of static sizes stay, and
// where versions are for numbers alone, all do.

// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(cpu-versions)' %s | FileCheck %s

// CHECK-LABEL: func.func private @sizes.version1(
// CHECK: linalg.abs {mlirprof.choice = {fusion = {with = "none"}}}
// CHECK: linalg.exp {mlirprof.choice = {threads = {count = "1"}}}
// CHECK-LABEL: func.func private @sizes.generic(
// CHECK: linalg.abs ins
// CHECK: linalg.exp {mlirprof.choice = {threads = {count = "1"}}}
func.func @sizes(%x: tensor<?xf32>, %y: tensor<4xf32>)
    -> (tensor<?xf32>, tensor<4xf32>) attributes {
      mlirprof.choice = {versions = {"1" = "arg0.dim0=8"}}} {
  %a = linalg.abs {mlirprof.choice = {fusion = {with = "none"}}}
    ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  %b = linalg.exp {mlirprof.choice = {threads = {count = "1"}}}
    ins(%y : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<?xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func private @numbers.generic(
// CHECK: linalg.abs {mlirprof.choice = {fusion = {with = "none"}}}
func.func @numbers(%x: tensor<?xf32>, %n: i32) -> (tensor<?xf32>, i32)
    attributes {mlirprof.choice = {versions = {"1" = "arg1=3"}}} {
  %a = linalg.abs {mlirprof.choice = {fusion = {with = "none"}}}
    ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  return %a, %n : tensor<?xf32>, i32
}
