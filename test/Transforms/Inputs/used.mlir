module {
  llvm.mlir.global internal constant @kept(1 : i32) : i32
  llvm.mlir.global appending @llvm.used() {section = "llvm.metadata"} : !llvm.array<1 x ptr> {
    %0 = llvm.mlir.zero : !llvm.array<1 x ptr>
    %1 = llvm.mlir.addressof @kept : !llvm.ptr
    %2 = llvm.insertvalue %1, %0[0] : !llvm.array<1 x ptr>
    llvm.return %2 : !llvm.array<1 x ptr>
  }
  func.func @f(%x: f32) -> f32 {
    %0 = arith.mulf %x, %x : f32
    return %0 : f32
  }
}
