func.func private @square(%a: f64) -> f64 {
  %0 = arith.mulf %a, %a : f64
  return %0 : f64
}
func.func @model(%n: index, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f64) {
    %q = func.call @square(%s) : (f64) -> f64
    %d = arith.divf %q, %x : f64
    %e = func.call @square(%d) : (f64) -> f64
    %f = arith.subf %e, %q : f64
    scf.yield %f : f64
  }
  return %r : f64
}
