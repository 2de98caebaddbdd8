// Two threads share ten rows; each row is a loop of three steps.
func.func @main(%x: memref<10x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    scf.for %j = %c0 to %c3 step %c1 {
      %v = memref.load %x[%i, %j] : memref<10x3xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %x[%i, %j] : memref<10x3xf32>
    }
    scf.reduce
  } loc("rows")
  return
}
