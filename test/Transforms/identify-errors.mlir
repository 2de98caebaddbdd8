// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-identify)' %s 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: no snapshot of the level 'input' was taken: the program already has that level
// TWICE: note: hint: give each level its own name; to start again, remove the program with prof-strip

// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-snapshot)' %s 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: no snapshot of the level '' was taken: its name is missing
// NAME: note: hint: name it: level=NAME

// Identities that another program gave are not this one's.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify)' %s 2>&1 | FileCheck %s --check-prefix=STRANGE
// STRANGE: warning: level 'input': 1 identities in locations are not of this module's program and were dropped

// Locations that got lost between tools.
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify)' %s -o %t.mlir 2>/dev/null
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-snapshot{level=loops})' %t.mlir 2>&1 -o /dev/null | FileCheck %s --check-prefix=LOST
// LOST: warning: level 'loops': no op has an identity, so nothing can be traced to earlier levels
// LOST: note: hint: pass modules on with their locations (--mlir-print-debuginfo)

// RUN: echo 'module attributes {prof.program = {version = 1 : i32, strings = [""], levels = [7]}} {}' > %t.bad.mlir
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-identify)' %t.bad.mlir 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: no snapshot of the level 'input' was taken: 'prof.program' is malformed: a level lacks a name or nodes
// BAD: note: hint: remove it with prof-strip

// RUN: echo 'module attributes {prof.program = 7} {}' > %t.bad2.mlir
// RUN: not %mlirprof_opt --pass-pipeline='builtin.module(prof-identify)' %t.bad2.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: {{.*}}attribute 'prof.program' must be a dictionary
func.func @f(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32 loc(fused<{prof = 70 : i32}>["parent"])
  return %0 : f32
}
