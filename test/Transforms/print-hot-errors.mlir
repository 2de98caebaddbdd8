// RUN: split-file %s %t
// RUN: %mlir-prof-opt --prof-print-hot -o /dev/null %t/plain.mlir 2>&1 | FileCheck %s
// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(prof-print-hot{top=many})' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=TOP

// RUN: not %mlir-prof-opt --prof-print-hot %t/type.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not %mlir-prof-opt --prof-print-hot %t/negative.mlir 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: %mlir-prof-opt --prof-print-hot -o /dev/null %t/malformed.mlir 2>&1 | FileCheck %s --check-prefix=MALFORMED

// CHECK: hottest ops: 0 of 0 with a profile
// CHECK-NOT: total_ps
// TOP: 'many' value invalid for uint argument
//--- plain.mlir
func.func private @f()

//--- type.mlir
// TYPE: type.mlir:{{.*}} error: 'func.func' op attribute 'prof.data' must be a #prof.data
// TYPE-NOT: hottest ops
func.func private @f() attributes {prof.data = #prof.coverage<op_time_ps = 1>}

//--- negative.mlir
// NEGATIVE: negative.mlir:{{.*}} error: 'sole_ps' must not be negative, is -9223372036854775808
// NEGATIVE-NOT: hottest ops
func.func private @f() attributes {prof.data = #prof.data<sole_ps = -9223372036854775808>}

//--- malformed.mlir
// What is not ours is no time; the rest is.
// MALFORMED: hottest ops: 1 of 1 with a profile
// MALFORMED: 3 100.0%
func.func private @short() loc(fused<{prof.data = array<i64: 1, 2>}>["p"])
func.func private @negative() loc(fused<{prof.data = array<i64: 1, 2, -3, 0, 0, 0>}>["p"])
func.func private @fine() loc(fused<{prof.data = array<i64: 2, 1, 3, 0, 0, 0>}>["p"])
