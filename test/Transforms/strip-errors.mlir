// A module without a profile stays as it is; the pass takes no options and runs
// on modules only.

// RUN: split-file %s %t
// RUN: %mlir-prof-opt --prof-strip %t/plain.mlir | FileCheck %s
// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(prof-strip{all=1})' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not %mlir-prof-opt --pass-pipeline='builtin.module(func.func(prof-strip))' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=ANCHOR

// What is not what we write: an attribute of another type is refused before the
// pass runs, a location that looks like ours is unwrapped, whatever it holds.
// RUN: not %mlir-prof-opt --prof-strip %t/type.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not %mlir-prof-opt --prof-strip %t/negative.mlir 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: %mlir-prof-opt --prof-strip --mlir-print-debuginfo %t/malformed.mlir | FileCheck %s --check-prefix=MALFORMED
// RUN: %mlir-prof-opt --prof-strip %t/stale.mlir | FileCheck %s --check-prefix=STALE

// CHECK: func.func private @f()
// OPTION: no such option all
// ANCHOR: Can't add pass 'ProfStrip' restricted to 'builtin.module'
//--- plain.mlir
func.func private @f()

//--- type.mlir
// TYPE: type.mlir:{{.*}} error: 'func.func' op attribute 'prof.data' must be a #prof.data
func.func private @f() attributes {prof.data = "5"}

//--- negative.mlir
// NEGATIVE: negative.mlir:{{.*}} error: 'op_time_ps' must not be negative, is -5
module attributes {prof.coverage = #prof.coverage<op_time_ps = -5>} {}

//--- malformed.mlir
// MALFORMED-NOT: prof.
// MALFORMED: loc("p")
// MALFORMED-NOT: prof.
func.func private @short() loc(fused<{prof.data = array<i64: 1, 2>}>["p"])
func.func private @text() loc(fused<{prof.data = "what"}>["p"])
func.func private @negative() loc(fused<{prof.coverage = array<i64: -1, 0, 0, 0, 0, 0, 0, 0>}>["p"])

//--- stale.mlir
// STALE-NOT: prof.
// STALE: module {
// STALE-NOT: prof.
module attributes {prof.coverage = #prof.coverage<op_time_ps = 7>} {
  func.func private @f()
}
