// Choices that no pass can follow are said, and change nothing.

// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(cpu-check-choices)' %s 2>%t.warnings | %mlir-prof-opt | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN --implicit-check-not=warning: < %t.warnings

// The tool says so, too, once for each, and where.
// RUN: %mlir-prof record %s --mode=time --iterations=1 --entry=wrong 2>&1 | FileCheck %s --check-prefix=RECORD

// RECORD-COUNT-12: note: warning: {{.*}}check-choices.mlir":[[#]]:8: mlirprof.choice is not followed:
// RECORD-NOT: is not followed
// RECORD: note: warning: {{.*}}: version 1 of 'right' is left out

// CHECK-COUNT-4: mlirprof.choice
func.func @wrong(%x: tensor<8x8xf32>, %e: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // WARN: check-choices.mlir:[[#@LINE+3]]:8: warning: mlirprof.choice is not followed: technique 'algorithm' needs a dictionary of parameters
  // WARN: check-choices.mlir:[[#@LINE+2]]:8: warning: mlirprof.choice is not followed: 'count' of technique 'threads' is "0"; expected a number from 1 to 65536
  // WARN: check-choices.mlir:[[#@LINE+1]]:8: warning: mlirprof.choice is not followed: unknown technique 'tile'; known techniques are algorithm,{{.*}}, versions
  %a = linalg.abs {mlirprof.choice = {tile = {rows = "4"}, algorithm = "direct", threads = {count = "0"}}}
    ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // WARN: :[[#@LINE+1]]:8: warning: mlirprof.choice is not followed: it is not a dictionary of techniques; known techniques are algorithm,
  %b = linalg.exp {mlirprof.choice = ["tiles"]}
    ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // WARN: :[[#@LINE+8]]:8: warning: mlirprof.choice is not followed: 'name' of technique 'algorithm' is "winograd8"; expected one of "direct", "product", "winograd2", "winograd4"
  // WARN: warning: mlirprof.choice is not followed: 'always' of technique 'branches' is "maybe"; expected one of "true", "false"
  // WARN: warning: mlirprof.choice is not followed: 'trips' of technique 'branches' is "-1"; expected a number from 0 to 281474976710656
  // WARN: warning: mlirprof.choice is not followed: 'for' of technique 'code' is "speed"; expected one of "size"
  // WARN: warning: mlirprof.choice is not followed: 'with' of technique 'fusion' is ""; expected one of "all", "none"
  // WARN: warning: mlirprof.choice is not followed: 'rows' of technique 'tiles' is "33"; expected a number from 1 to 32
  // WARN: warning: mlirprof.choice is not followed: technique 'tiles' does not have a parameter 'vector'; its parameters are rows, vectors
  // WARN: warning: mlirprof.choice is not followed: 'vectors' of technique 'tiles' is 2 : i64, not a string; expected a number from 1 to 16
  %c = linalg.tanh {mlirprof.choice = {
      algorithm = {name = "winograd8"}, tiles = {rows = "33", vector = "2", vectors = 2},
      fusion = {with = ""}, code = {for = "speed"}, branches = {trips = "-1", always = "maybe"}}}
    ins(%b : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// Whether versions fit is said by the pass that makes them.
func.func @right(%x: tensor<8x8xf32>, %e: tensor<8x8xf32>) -> tensor<8x8xf32>
    attributes {mlirprof.choice = {versions = {"1" = "arg7=1"}}} {
  %a = linalg.abs {mlirprof.choice = {
      algorithm = {name = "direct"}, tiles = {rows = "32", vectors = "16"}, threads = {count = "65536"},
      fusion = {with = "all"}, code = {for = "size"},
      branches = {taken = "0", "not-taken" = "281474976710656", trips = "5", always = "false"}}}
    ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}
