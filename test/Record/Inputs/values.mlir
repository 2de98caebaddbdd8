// Sums up as many numbers as there are, and doubles the sum of more than three.
func.func @main(%x: tensor<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %v = tensor.extract %x[%i] : tensor<?xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  } loc("sum")
  %many = arith.cmpi ugt, %n, %c3 : index
  %r = scf.if %many -> (f32) {
    %d = arith.addf %sum, %sum : f32
    scf.yield %d : f32
  } else {
    scf.yield %sum : f32
  } loc("double")
  return %r : f32
}
