// What the verifiers refuse.

// RUN: %mlir-prof-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{attribute 'dispatch.kernel' is for private functions only}}
func.func @public(%out: tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel} {
  return %out : tensor<4xf32>
}

// -----

func.func @not_a_function() {
  // expected-error @+1 {{attribute 'dispatch.kernel' is for private functions only}}
  %0 = arith.constant {dispatch.kernel} 0 : index
  return
}

// -----

// expected-error @+1 {{attribute 'dispatch.kernel' must be a unit attribute}}
func.func private @value() attributes {dispatch.kernel = 1 : i32}

// -----

// expected-error @+1 {{attribute 'dispatch.core' is not an attribute of the dispatch dialect, which has 'dispatch.kernel'}}
func.func private @unknown() attributes {dispatch.core}

// -----

// expected-error @+1 {{is a kernel, so its results must have the types of its last arguments, the destinations}}
func.func private @other_type(tensor<4xf32>) -> tensor<8xf32> attributes {dispatch.kernel}

// -----

// expected-error @+1 {{is a kernel, so its results must have the types of its last arguments, the destinations}}
func.func private @more_results(tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {dispatch.kernel}

// -----

func.func @no_kernel(%e: tensor<4xf32>) {
  // expected-error @+1 {{kernel 'missing' is not a function of the module}}
  %0 = dispatch.run @missing outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @plain(tensor<4xf32>) -> tensor<4xf32>
func.func @not_kernel(%e: tensor<4xf32>) {
  // expected-error @+1 {{function 'plain' is not a kernel: it lacks the attribute 'dispatch.kernel'}}
  %0 = dispatch.run @plain outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the kernel is here}}
func.func private @k(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func @operands(%e: tensor<4xf32>) {
  // expected-error @+1 {{has 1 operands, kernel 'k' takes 2}}
  %0 = dispatch.run @k outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the kernel is here}}
func.func private @k(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func @shape(%a: tensor<8xf32>, %e: tensor<4xf32>) {
  // expected-error @+1 {{operand 0 is of type 'tensor<8xf32>', kernel 'k' takes 'tensor<4xf32>'}}
  %0 = dispatch.run @k ins(%a : tensor<8xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-note @+1 {{the kernel is here}}
func.func private @k(memref<4xf32>, memref<4xf32>) attributes {dispatch.kernel}
func.func @layout(%a: memref<4xf32, strided<[2]>>, %e: memref<4xf32>) {
  // expected-error @+1 {{operand 0 is of type 'memref<4xf32, strided<[2]>>', kernel 'k' takes 'memref<4xf32>'}}
  dispatch.run @k ins(%a : memref<4xf32, strided<[2]>>) outs(%e : memref<4xf32>)
  return
}

// -----

// expected-note @+1 {{the kernel is here}}
func.func private @k(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func @element(%a: memref<4xi32>, %e: memref<4xf32>) {
  // expected-error @+1 {{operand 0 is of type 'memref<4xi32>', kernel 'k' takes 'tensor<4xf32>'}}
  dispatch.run @k ins(%a : memref<4xi32>) outs(%e : memref<4xf32>)
  return
}

// -----

// expected-note @+1 {{the kernel is here}}
func.func private @k(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func @destinations(%a: tensor<4xf32>, %e: tensor<4xf32>) {
  // expected-error @+1 {{has 2 destinations, kernel 'k' returns 1 results}}
  %0:2 = dispatch.run @k outs(%a, %e : tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func private @k(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func @mixed(%a: memref<4xf32>, %e: tensor<4xf32>) {
  // expected-error @+1 {{operands must be tensors or buffers, not both}}
  %0 = dispatch.run @k ins(%a : memref<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func @no_result(%e: tensor<4xf32>) {
  // expected-error @+1 {{expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  dispatch.run @k outs(%e : tensor<4xf32>)
  return
}

// -----

func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func @updates(%e: tensor<4xf32>) {
  // expected-error @+1 {{'updates' must list positions in 'outs' (0 to 0) in ascending order}}
  %0 = dispatch.run @k outs(%e : tensor<4xf32>) updates [1] -> tensor<4xf32>
  return
}

// -----

func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func @repeated(%e: tensor<4xf32>) {
  // expected-error @+1 {{'updates' must list positions in 'outs' (0 to 0) in ascending order}}
  %0 = dispatch.run @k outs(%e : tensor<4xf32>) updates [0, 0] -> tensor<4xf32>
  return
}

// -----

func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func @instance(%e: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'instance' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %0 = dispatch.run @k outs(%e : tensor<4xf32>) {instance = -1 : i32} -> tensor<4xf32>
  return
}

// -----

func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {dispatch.kernel}
func.func @origins(%e: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'origins' failed to satisfy constraint: array of identities per op}}
  %0 = dispatch.run @k outs(%e : tensor<4xf32>) {origins = [1 : i32]} -> tensor<4xf32>
  return
}

// -----

func.func @outside() {
  // expected-error @+1 {{must be in a kernel, a function with the attribute 'dispatch.kernel'}}
  %0 = dispatch.workgroup_id 0
  return
}

// -----

func.func @outside_too() {
  // expected-error @+1 {{must be in a kernel, a function with the attribute 'dispatch.kernel'}}
  %0 = dispatch.workgroup_count 0
  return
}

// -----

func.func private @dimension() attributes {dispatch.kernel} {
  // expected-error @+1 {{attribute 'dimension' failed to satisfy constraint}}
  %0 = dispatch.workgroup_id 3
  return
}

// -----

func.func private @k(memref<4xf32>) attributes {dispatch.kernel}
func.func @device(%a: memref<4xf32>) {
  // expected-error @+1 {{device 'host' is where dispatches without a device run}}
  dispatch.run @k outs(%a : memref<4xf32>) {device = "host"}
  return
}

// -----

func.func private @k(memref<4xf32>) attributes {dispatch.kernel}
func.func @device(%a: memref<4xf32>) {
  // expected-error @+1 {{device 'my "npu"' must have a name of letters, digits and _-:. characters}}
  dispatch.run @k outs(%a : memref<4xf32>) {device = "my \"npu\""}
  return
}

// -----

func.func @transfer(%a: memref<4xf32>) {
  // expected-error @+1 {{must have either 'from' or 'to'; the other side is the host}}
  dispatch.transfer %a from "npu" to "dsp" : memref<4xf32>
  return
}

// -----

func.func @transfer(%a: memref<4xf32>) {
  // expected-error @+1 {{'range' must be the first byte of a part, and how many bytes it has}}
  dispatch.transfer %a to "dsp" range [4, 0] : memref<4xf32>
  return
}

// -----

func.func @wait() {
  // expected-error @+1 {{device '' must have a name}}
  dispatch.wait ""
  return
}
