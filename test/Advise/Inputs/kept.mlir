// As unmapped.mlir, with memory that is kept from call to call.
func.func @main(%x: f32) -> f32 {
  %buffer = memref.alloc() : memref<1048576xf32>
  %begin = arith.constant 0 : index
  %end = arith.constant 1048576 : index
  %step = arith.constant 1 : index
  %sum = scf.for %i = %begin to %end step %step iter_args(%before = %x) -> f32 {
    memref.store %before, %buffer[%i] : memref<1048576xf32>
    %next = arith.addf %before, %x : f32
    scf.yield %next : f32
  } loc("fill")
  memref.dealloc %buffer : memref<1048576xf32>
  return %sum : f32
}
