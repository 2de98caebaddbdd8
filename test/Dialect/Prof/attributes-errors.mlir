// RUN: %mlir-prof-opt --split-input-file --verify-diagnostics %s
// RUN: %mlirprof_opt --split-input-file --verify-diagnostics %s

// expected-error @below {{'builtin.module' op attribute 'prof.data' must be a #prof.data}}
module attributes {prof.data = 1 : i64} {}

// -----

// expected-error @below {{'builtin.module' op attribute 'prof.coverage' must be a #prof.coverage}}
module attributes {prof.coverage = #prof.data<count = 1>} {}

// -----

// expected-error @below {{attribute 'prof.dat' is none of the prof dialect, which has 'prof.data' and 'prof.coverage'}}
module attributes {prof.dat = #prof.data<count = 1>} {}

// -----

// expected-error @+1 {{duplicate or unknown struct parameter name: seconds}}
module attributes {prof.data = #prof.data<seconds = 1>} {}
