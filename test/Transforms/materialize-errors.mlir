// RUN: %mlir-prof-opt --prof-materialize --split-input-file --verify-diagnostics %s
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-materialize)' --split-input-file --verify-diagnostics %s

// expected-error @below {{prof-materialize: no location of this module carries a profile}}
// expected-note @below {{hint: annotate with prof-annotate{carrier=location}, and keep the locations between tools with --mlir-print-debuginfo or bytecode}}
module {}

// -----

// Numbers that are not ours: said, and not taken for times.

// expected-warning @below {{4 locations look like they carry a profile and do not hold its six numbers}}
// expected-error @below {{no location of this module carries a profile}}
// expected-note @below {{hint}}
module {
  func.func private @short() loc(fused<{prof.data = array<i64: 1, 2>}>["p"])
  func.func private @text() loc(fused<{prof.data = "what"}>["p"])
  func.func private @negative() loc(fused<{prof.data = array<i64: 1, 2, -3, 0, 0, 0>}>["p"])
  func.func private @coverage() loc(fused<{prof.coverage = array<i64: -1, 0, 0, 0, 0, 0, 0, 0>}>["p"])
}

// -----

// The total is lost with the module's location.

// expected-remark @below {{prof-materialize: 3 ps arrived (of an unknown total: the module's location has lost its coverage); 1 source ops on 1 ops, 1 with one owner}}
module {
  func.func private @f() loc(fused<{prof.data = array<i64: 1, 2, 3, 0, 0, 0>}>["p"])
}

// -----

// Sums stay at the largest number.

// expected-remark @below {{9223372036854775807 ps arrived}}
module {
  func.func private @f() loc(fused[fused<{prof.data = array<i64: 1, 2, 9223372036854775807, 0, 9223372036854775807, 0>}>["p"], fused<{prof.data = array<i64: 2, -1, 9223372036854775807, 0, 0, 0>}>["p"]])
}
