// A number decides a branch, another one how often a loop runs; rows come in
// any number.
func.func @main(%x: tensor<?x16xf32>, %mode: i64, %n: tensor<i32>, %w: tensor<16x16xf32>) -> tensor<?x16xf32>
    attributes {mlirprof.choice = {versions = {"1" = "arg0.dim0=8 arg1=1", "2" = "arg0.dim0=8", "10" = "arg1=1 arg2=3"}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %is = arith.cmpi eq, %mode, %one : i64
  %d = tensor.dim %x, %c0 : tensor<?x16xf32>
  %trips32 = tensor.extract %n[] : tensor<i32>
  %trips = arith.index_cast %trips32 : i32 to index
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %x) -> tensor<?x16xf32> {
    %e = tensor.empty(%d) : tensor<?x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    %m = linalg.matmul ins(%a, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
    scf.yield %m : tensor<?x16xf32>
  }
  %s = scf.if %is -> tensor<?x16xf32> {
    %e = tensor.empty(%d) : tensor<?x16xf32>
    %g = linalg.add ins(%r, %x : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    scf.yield %g : tensor<?x16xf32>
  } else {
    %e = tensor.empty(%d) : tensor<?x16xf32>
    %g = func.call @square(%r, %e) : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
    scf.yield %g : tensor<?x16xf32>
  }
  return %s : tensor<?x16xf32>
}
func.func private @square(%a: tensor<?x16xf32>, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %g = linalg.mul ins(%a, %a : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %g : tensor<?x16xf32>
}
