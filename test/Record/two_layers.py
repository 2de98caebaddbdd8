"""A model of two equal layers, "first" and "second", the second in a loop of four."""

TEXT = """
func.func @main(%x: tensor<ROWSxSIZExf32>, %a: tensor<SIZExSIZExf32>,
                %b: tensor<SIZExSIZExf32>) -> tensor<ROWSxSIZExf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<ROWSxSIZExf32> loc("first")
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<ROWSxSIZExf32>)
    -> tensor<ROWSxSIZExf32> loc("first")
  %y = linalg.matmul ins(%x, %a : tensor<ROWSxSIZExf32>, tensor<SIZExSIZExf32>)
    outs(%f : tensor<ROWSxSIZExf32>) -> tensor<ROWSxSIZExf32> loc("first")
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%z = %y)
      -> (tensor<ROWSxSIZExf32>) {
    %g = tensor.empty() : tensor<ROWSxSIZExf32> loc("second")
    %h = linalg.fill ins(%zero : f32) outs(%g : tensor<ROWSxSIZExf32>)
      -> tensor<ROWSxSIZExf32> loc("second")
    %w = linalg.matmul ins(%z, %b : tensor<ROWSxSIZExf32>, tensor<SIZExSIZExf32>)
      outs(%h : tensor<ROWSxSIZExf32>) -> tensor<ROWSxSIZExf32> loc("second")
    scf.yield %w : tensor<ROWSxSIZExf32>
  }
  return %r : tensor<ROWSxSIZExf32>
}
"""


def make_layers(rows, size):
    """The text of the model, for `rows` rows of `size` numbers."""
    return TEXT.replace("ROWS", str(rows)).replace("SIZE", str(size))
