// RUN: %mlir-prof-opt --prof-print-hot -o /dev/null %s 2>&1 | FileCheck %s
// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(prof-print-hot{top=many})' %s 2>&1 | FileCheck %s --check-prefix=TOP

// CHECK: hottest ops: 0 of 0 with a profile
// CHECK-NOT: heat_ps
// TOP: 'many' value invalid for uint argument
func.func private @f()
