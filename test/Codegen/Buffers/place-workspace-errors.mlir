// RUN: %mlir-prof-opt --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(cpu-place-workspace))' %s

func.func @unknown(%n: index) {
  // expected-error @+1 {{needs memory that cannot be planned: its size is not known, or its elements are not whole bytes}}
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}

// -----

func.func @huge() {
  // expected-error @+1 {{needs memory that cannot be planned}}
  %a = memref.alloc() : memref<4611686018427387904xi8>
  memref.dealloc %a : memref<4611686018427387904xi8>
  return
}
