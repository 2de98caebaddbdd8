// As the loops of grows.mlir, with a condition.
func.func @main(%a: tensor<?xf32>, %n: index) -> tensor<?xf32>
    attributes {mlirprof.choice = {versions = {"1" = "arg0.dim0=4"}}} {
  %c0 = arith.constant 0 : index
  %most = arith.constant 20 : index
  %r = scf.while (%x = %a) : (tensor<?xf32>) -> tensor<?xf32> {
    %d = tensor.dim %x, %c0 : tensor<?xf32>
    %small = arith.cmpi slt, %d, %most : index
    scf.condition(%small) %x : tensor<?xf32>
  } do {
  ^bb0(%x: tensor<?xf32>):
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
  return %r : tensor<?xf32>
}
