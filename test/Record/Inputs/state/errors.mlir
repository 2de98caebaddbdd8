//--- dynamic.mlir
tosa.variable @s : tensor<?xf32>
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = tosa.variable_read @s : tensor<?xf32>
  tosa.variable_write @s, %x : tensor<?xf32>
  return %c : tensor<?xf32>
}
//--- extern.mlir
ml_program.global private mutable @s(#ml_program.extern<tensor<4xf32>>) : tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = ml_program.global_load @s : tensor<4xf32>
  ml_program.global_store @s = %x : tensor<4xf32>
  return %c : tensor<4xf32>
}
//--- unset.mlir
tosa.variable @s : tensor<4xf32>
func.func @main() -> tensor<4xf32> {
  %c = tosa.variable_read @s : tensor<4xf32>
  return %c : tensor<4xf32>
}
//--- tokens.mlir
ml_program.global private mutable @s(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0, %t = ml_program.global_load_graph @s ordering (-> !ml_program.token) : tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- parallel.mlir
ml_program.global private mutable @s(0 : i32) : i32
func.func @main(%x: i32) -> i32 {
  scf.forall (%i) in (4) {
    ml_program.global_store @s = %x : i32
  }
  %c = ml_program.global_load @s : i32
  return %c : i32
}
//--- mark.mlir
func.func @main(%x: tensor<4xf32> {mlirprof.variable = @nothing}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
//--- mark-of-another-type.mlir
memref.global "private" @s : memref<2xf32> = dense<0.0>
func.func @main(%x: tensor<4xf32> {mlirprof.variable = @s}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
//--- kernel.mlir
func.func private @k(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = dispatch.run @k ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
//--- types.mlir
ml_program.global private mutable @s : tensor<2xcomplex<f32>>
ml_program.global private mutable @t(dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>) : tensor<2xcomplex<f32>>
ml_program.global private mutable @i(true) : i1
ml_program.global private mutable @j(3 : index) : index
func.func @main(%x: tensor<2xf32>) -> (i1, index, tensor<2xcomplex<f32>>) {
  %c = ml_program.global_load @s : tensor<2xcomplex<f32>>
  %d = ml_program.global_load @t : tensor<2xcomplex<f32>>
  %i = ml_program.global_load @i : i1
  %j = ml_program.global_load @j : index
  %k = arith.addi %j, %j : index
  %z = arith.constant true
  %n = arith.xori %i, %z : i1
  ml_program.global_store @j = %k : index
  ml_program.global_store @i = %n : i1
  ml_program.global_store @s = %d : tensor<2xcomplex<f32>>
  ml_program.global_store @t = %c : tensor<2xcomplex<f32>>
  return %i, %j, %c : i1, index, tensor<2xcomplex<f32>>
}
//--- two.mlir
ml_program.global private mutable @s(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
func.func @set(%x: tensor<4xf32>) {
  ml_program.global_store @s = %x : tensor<4xf32>
  return
}
func.func @get() -> tensor<4xf32> {
  %c = ml_program.global_load @s : tensor<4xf32>
  return %c : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = call @get() : () -> tensor<4xf32>
  %d = arith.addf %c, %x : tensor<4xf32>
  call @set(%d) : (tensor<4xf32>) -> ()
  return %c : tensor<4xf32>
}
//--- buffers.mlir
memref.global "private" @n : memref<f32> = dense<5.0>
func.func @main(%x: f32) -> f32 {
  %m = memref.get_global @n : memref<f32>
  %c = memref.load %m[] : memref<f32>
  %d = arith.addf %c, %x : f32
  memref.store %d, %m[] : memref<f32>
  return %d : f32
}
