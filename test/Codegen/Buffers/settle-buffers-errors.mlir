// RUN: %mlir-prof-opt --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(cpu-settle-buffers))' %s

func.func @branch(%c: i1, %x: memref<?xf32>, %y: memref<?xf32>) -> memref<?xf32> {
  // expected-error@+1 {{a branch or loop chooses a buffer of type 'memref<?xf32>', which does not have a place of known size}}
  %r = scf.if %c -> memref<?xf32> {
    scf.yield %x : memref<?xf32>
  } else {
    scf.yield %y : memref<?xf32>
  }
  return %r : memref<?xf32>
}
