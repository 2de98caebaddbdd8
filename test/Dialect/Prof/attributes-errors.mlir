// RUN: %mlir-prof-opt --split-input-file --verify-diagnostics %s
// RUN: %mlirprof_opt --split-input-file --verify-diagnostics %s

// expected-error @below {{'builtin.module' op attribute 'prof.data' must be a #prof.data}}
module attributes {prof.data = 1 : i64} {}

// -----

// expected-error @below {{'builtin.module' op attribute 'prof.coverage' must be a #prof.coverage}}
module attributes {prof.coverage = #prof.data<count = 1>} {}

// -----

// expected-error @below {{attribute 'prof.dat' is not an attribute of the prof dialect, which has 'prof.data', 'prof.coverage', 'prof.program' and 'prof.parts'}}
module attributes {prof.dat = #prof.data<count = 1>} {}

// -----

// expected-error @+1 {{duplicate or unknown struct parameter name: seconds}}
module attributes {prof.data = #prof.data<seconds = 1>} {}

// -----

// expected-error @+1 {{'sole_ps' must not be negative, is -1}}
module attributes {prof.data = #prof.data<count = 1, sole_ps = -1>} {}

// -----

// expected-error @+1 {{'shared_ps' must not be negative, is -2}}
module attributes {prof.data = #prof.data<shared_ps = -2>} {}

// -----

// expected-error @+1 {{'estimated_ps' must not be negative, is -9223372036854775808}}
module attributes {prof.data = #prof.data<estimated_ps = -9223372036854775808>} {}

// -----

// expected-error @+1 {{'unmatched_ps' must not be negative, is -4}}
module attributes {prof.coverage = #prof.coverage<op_time_ps = 4, unmatched_ps = -4>} {}

// -----

// Before the anchor of the clock: a time of day, not a duration.
module attributes {prof.data = #prof.data<count = 1, first_begin_ps = -5>} {}
