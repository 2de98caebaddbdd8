// The pipeline carries the profile on locations: what is compiled is the same.

// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(prof-annotate{profile=%S/Inputs/tosa.mlprof.json carrier=location})' --mlir-print-debuginfo %S/Inputs/tosa.mlir -o %t.expected
// RUN: %mlir-prof-opt --prof-pgo-pipeline=profile=%S/Inputs/tosa.mlprof.json --mlir-print-debuginfo %S/Inputs/tosa.mlir | diff - %t.expected
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-pgo-pipeline{profile=%S/Inputs/tosa.mlprof.json enable-profile=true})' --mlir-print-debuginfo %S/Inputs/tosa.mlir | diff - %t.expected
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-pgo-pipeline{path-to-profile=%S/Inputs/tosa.mlprof.json})' --mlir-print-debuginfo %S/Inputs/tosa.mlir | diff - %t.expected
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-pgo-pipeline{path-to-profile=%S/Inputs/tosa.mlprof.json profile=%S/Inputs/tosa.mlprof.json})' --mlir-print-debuginfo %S/Inputs/tosa.mlir | diff - %t.expected

// Without a profile there is nothing to do.
// RUN: mlir-opt %S/Inputs/tosa.mlir --mlir-print-debuginfo -o %t.same
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-pgo-pipeline{profile=missing enable-profile=false})' --mlir-print-debuginfo %S/Inputs/tosa.mlir | diff - %t.same
