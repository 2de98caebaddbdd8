// What does not apply to a function is left out, and said.

// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(cpu-versions)' --split-input-file %s 2>%t.warnings | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN < %t.warnings

// WARN: warning: version x of 'refused' is left out: it is not a string whose name is a number
// WARN: warning: version 1 of 'refused' is left out: there is no such argument
// WARN: warning: version 2 of 'refused' is left out: that dimension has another size
// WARN: warning: version 3 of 'refused' is left out: that argument cannot have this value
// WARN: warning: version 4 of 'refused' is left out: that argument is not a single integer
// WARN: warning: version 5 of 'refused' is left out: there is no such dimension
// WARN: warning: version 6 of 'refused' is left out: its conditions always hold
// WARN: warning: version 7 of 'refused' is left out: 'arg0.dim0' is not a condition
// WARN: warning: version 8 of 'refused' is left out: arg1 is given twice
// WARN: warning: version 9 of 'refused' is left out: a size cannot be negative
// WARN: warning: version 10 of 'refused' is left out: that argument is a buffer
// WARN: warning: version 12 of 'refused' is left out: another version is for the same calls
// CHECK-LABEL: func.func @refused(
// CHECK-NOT: mlirprof.choice
// CHECK: call @refused.version1(
// CHECK: call @refused.generic(
// CHECK-NOT: refused.version2
func.func @refused(%a: tensor<?x4xf32>, %b: i1, %c: f32, %d: memref<i32>) -> tensor<?x4xf32>
    attributes {mlirprof.choice = {versions = {
      "x" = "arg1=1", "1" = "arg7=1", "2" = "arg0.dim1=5", "3" = "arg1=2",
      "4" = "arg2=1", "5" = "arg0.dim2=1", "6" = "arg0.dim1=4",
      "7" = "arg0.dim0", "8" = "arg1=1 arg1=0", "9" = "arg0.dim0=-1",
      "10" = "arg3=1", "11" = "arg0.dim1=4 arg1=1", "12" = "arg1=1"}}} {
  return %a : tensor<?x4xf32>
}

// -----

// Without any there is no dispatch; other choices stay.
// CHECK-LABEL: func.func @none(
// CHECK-SAME: mlirprof.choice = {threads = {count = "1"}}
// CHECK-NEXT: return
// CHECK-NOT: none.generic
func.func @none(%a: tensor<?x4xf32>) -> tensor<?x4xf32>
    attributes {mlirprof.choice = {threads = {count = "1"}, versions = {"1" = "arg1=1"}}} {
  return %a : tensor<?x4xf32>
}

// -----

// Nor for what has no body.
// CHECK-LABEL: func.func private @outside(
// CHECK-NOT: mlirprof.choice
// CHECK-NOT: outside.
func.func private @outside(%a: tensor<?x4xf32>) -> tensor<?x4xf32>
    attributes {mlirprof.choice = {versions = {"1" = "arg0.dim0=1"}}}

// -----

// Upstream's canonicalization takes for granted that a loop keeps the size of
// what it carries: no version may know a size that a loop changes. One that
// knows something else stays.
// WARN: warning: a version of 'grows' (arg0.dim0=4) is left out: a loop may change a size that it fixes
// CHECK-LABEL: func.func @grows(
// CHECK-NOT: call @grows.version1(
// CHECK: call @grows.version2(
// CHECK-NOT: call @grows.version1(
// CHECK: call @grows.generic(
func.func @grows(%a: tensor<?xf32>, %n: index) -> tensor<?xf32>
    attributes {mlirprof.choice = {versions = {"1" = "arg0.dim0=4", "2" = "arg1=3"}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<?xf32>) {
    %y = func.call @double(%x) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
func.func private @double(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = tensor.concat dim(0) %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// Where none is left the function is as it was.
// WARN: warning: a version of 'alone' (arg0.dim0=4) is left out
// CHECK-LABEL: func.func @alone(
// CHECK-NOT: no_inline
// CHECK: scf.for
// CHECK-NOT: alone.
func.func @alone(%a: tensor<?xf32>, %n: index) -> tensor<?xf32>
    attributes {mlirprof.choice = {versions = {"1" = "arg0.dim0=4"}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<?xf32>) {
    %y = tensor.concat dim(0) %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
