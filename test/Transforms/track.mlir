// Pipelines in all the ways in which they may be written; each pass is seen
// once, wherever it nests.

// DEFINE: %{track} = %mlirprof_test_opt --mlir-print-debuginfo --mlir-print-local-scope %s
// RUN: %{track} --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="func.func(test-drop-locations{op=arith.mulf})"})' 2>&1 | FileCheck %s
// RUN: %{track} --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="builtin.module(func.func(test-drop-locations{op=arith.mulf}))"})' 2>&1 | FileCheck %s
// RUN: %{track} --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline=" builtin.module( any(cse), func.func(canonicalize{region-simplify=disabled}, test-drop-locations{op=arith.mulf}) )"})' 2>&1 | FileCheck %s
// RUN: %{track} --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="builtin.module(func.func(test-drop-locations{op=arith.mulf}))" remarks=false})' 2>&1 | FileCheck %s --check-prefix=QUIET
// QUIET-NOT: remark

// CHECK-COUNT-2: remark: prof-track: test-drop-locations on func.func @{{first|second}} lost 1 of {{2|3}} identities: 1 arith.mulf; 1 were repaired
// CHECK-NOT: remark
// CHECK-LABEL: func.func @first(
func.func @first(%x: f32) -> f32 {
  // CHECK: arith.mulf {{.*}} loc(fused<{prof = 2 : i32}>["add"])
  %0 = arith.mulf %x, %x : f32 loc("mul")
  %1 = arith.addf %0, %x : f32 loc("add")
  return %1 : f32 loc("return")
} loc("first")
// CHECK-LABEL: func.func @second(
func.func @second(%x: f32) -> f32 {
  // Only a return is near, and the function.
  // CHECK: arith.mulf {{.*}} loc(fused<{prof = 6 : i32}>["return"])
  %0 = arith.mulf %x, %x : f32 loc("mul")
  return %0 : f32 loc("return")
} loc("second")

// What a pass runs by itself is not counted twice: the inliner's canonicalize.
// RUN: %{track} --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="inline" audit-file=%t.json})' -o /dev/null
// RUN: %python -c "import json; a = json.load(open(r'%t.json'))['passes']; print(sorted(p['pass'] for p in a))" | FileCheck %s --check-prefix=INNER
// INNER: ['canonicalize', 'canonicalize', 'inline']

// Entries have the same order on any number of threads: op by op.
// RUN: %python %S/Inputs/many_functions.py > %t.many.mlir
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="func.func(cse,canonicalize),cse" audit-file=%t.one.json remarks=false})' --mlir-disable-threading %t.many.mlir -o /dev/null
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="func.func(cse,canonicalize),cse" audit-file=%t.many.json remarks=false})' %t.many.mlir -o /dev/null
// RUN: cmp %t.one.json %t.many.json
