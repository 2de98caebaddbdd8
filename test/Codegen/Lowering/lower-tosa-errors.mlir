// RUN: %mlir-prof-opt %s --cpu-lower-tosa --verify-diagnostics

// The verifier of tosa.mul does not compare shapes.

func.func @shapes(%a: tensor<1x1xf32>, %b: tensor<1x1xf32>) -> tensor<4x8xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{'tensor.cast' op operand type 'tensor<1x1xf32>' and result type 'tensor<4x8xf32>' are cast incompatible}}
  %r = tosa.mul %a, %b, %shift
    : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
