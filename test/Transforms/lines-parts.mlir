// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-identify,prof-lines)' %s | FileCheck %s --implicit-check-not=prof.part

// The argument with which probes of kernels find their dispatch loses its mark together
// with the probes: the translation to LLVM IR does not know it.
// CHECK: llvm.func @kernel(%{{.*}}: i64 {llvm.noundef})
llvm.func @kernel(%part: i64 {prof.part, llvm.noundef}) {
  llvm.return
}
