// RUN: %mlir-prof-opt %s --cpu-pass-state --verify-diagnostics

memref.global "public" @mlirprof_state : memref<64xi8> = dense<0> {alignment = 64 : i64}

func.func private @inner() -> memref<64xi8> {
  // expected-error@+1 {{is in a function that callers of the model do not call}}
  %state = memref.get_global @mlirprof_state : memref<64xi8>
  return %state : memref<64xi8>
}
