// The product in tiles, whose elements are packed; the sums as vectors of the whole.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%model: !transform.any_op {transform.readonly}) {
    %product = transform.structured.match ops{["linalg.matmul"]} in %model
      : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %product packed_sizes = [2, 4, 3]
      : (!transform.any_op) -> !transform.op<"linalg.generic">
    %sums = transform.structured.match ops{["linalg.reduce"]} in %model
      : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %sums : !transform.any_op
    transform.yield
  }
}
