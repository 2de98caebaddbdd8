// Takes 4 MiB from the system for each call, and gives them back after it, as an
// allocator does that keeps nothing. (The memory that models get is kept.)
llvm.func @mmap(!llvm.ptr, i64, i32, i32, i32, i64) -> !llvm.ptr
llvm.func @madvise(!llvm.ptr, i64, i32) -> i32
llvm.func @munmap(!llvm.ptr, i64) -> i32
func.func @main(%x: f32) -> f32 {
  %null = llvm.mlir.zero : !llvm.ptr
  %bytes = llvm.mlir.constant(4194304 : i64) : i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  // PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, no file.
  %protection = llvm.mlir.constant(3 : i32) : i32
  %flags = llvm.mlir.constant(34 : i32) : i32
  %file = llvm.mlir.constant(-1 : i32) : i32
  %buffer = llvm.call @mmap(%null, %bytes, %protection, %flags, %file, %zero)
      : (!llvm.ptr, i64, i32, i32, i32, i64) -> !llvm.ptr
  // MADV_NOHUGEPAGE: a fault for each page.
  %small = llvm.mlir.constant(15 : i32) : i32
  %advised = llvm.call @madvise(%buffer, %bytes, %small) : (!llvm.ptr, i64, i32) -> i32
  %begin = arith.constant 0 : index
  %end = arith.constant 1048576 : index
  %step = arith.constant 1 : index
  %sum = scf.for %i = %begin to %end step %step iter_args(%before = %x) -> f32 {
    %at = arith.index_cast %i : index to i64
    %place = llvm.getelementptr %buffer[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %before, %place : f32, !llvm.ptr
    %next = arith.addf %before, %x : f32
    scf.yield %next : f32
  } loc("fill")
  %unmapped = llvm.call @munmap(%buffer, %bytes) : (!llvm.ptr, i64) -> i32
  return %sum : f32
}
