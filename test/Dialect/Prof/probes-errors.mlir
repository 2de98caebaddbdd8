// What the verifiers of the probes refuse.

// RUN: %mlirprof_opt --split-input-file --verify-diagnostics %s

func.func @other_probe() {
  %0 = prof.begin 0
  // expected-error @+1 {{'prof.end' op ends probe 1, but its token is of probe 0}}
  prof.end 1, %0
  return
}

// -----

func.func @not_from_begin(%t: !prof.token) {
  // expected-error @+1 {{'prof.end' op token must come from a 'prof.begin'}}
  prof.end 1, %t
  return
}

// -----

func.func @passed_on() -> !prof.token {
  // expected-error @+1 {{'prof.begin' op token may be used by 'prof.end' only, not by 'func.return'}}
  %0 = prof.begin 0
  return %0 : !prof.token
}

// -----

func.func @negative() {
  // expected-error @+1 {{attribute 'probe' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %0 = prof.begin -1
  return
}

// -----

func.func @no_values() {
  // expected-error @+1 {{'prof.value' op needs at least one value}}
  "prof.value"() {site = 0 : i32} : () -> ()
  return
}

// -----

func.func @float_value(%f: f32) {
  // expected-error @+1 {{operand #0 must be variadic of index or 64-bit signless integer, but got 'f32'}}
  "prof.value"(%f) {site = 0 : i32} : (f32) -> ()
  return
}
