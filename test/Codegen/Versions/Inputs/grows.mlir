// Loops that change the size of what they carry: each of three trips doubles
// it, and adds n elements; and one that keeps the size.
func.func @main(%a: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
    attributes {mlirprof.choice = {versions = {"1" = "arg0.dim0=4", "2" = "arg1=2"}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %doubled = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (tensor<?xf32>) {
    %y = tensor.concat dim(0) %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  %longer = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (tensor<?xf32>) {
    %d = tensor.dim %x, %c0 : tensor<?xf32>
    %e = arith.addi %d, %n : index
    %y = tensor.generate %e {
    ^bb0(%j: index):
      %k = arith.remsi %j, %d : index
      %v = tensor.extract %x[%k] : tensor<?xf32>
      tensor.yield %v : f32
    } : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  %same = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (tensor<?xf32>) {
    %y = linalg.add ins(%x, %a : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  return %doubled, %longer, %same : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
