//===- DispatchDialect.td - The dispatch dialect -----------*- tablegen -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_DISPATCH_DISPATCHDIALECT_TD
#define MLIR_PROF_DIALECT_DISPATCH_DISPATCHDIALECT_TD

include "mlir/IR/DialectBase.td"

def Dispatch_Dialect : Dialect {
  let name = "dispatch";
  let summary = "A model as a graph of kernels that run on buffers";
  let cppNamespace = "::mlirprof::dispatch";
  let description = [{
    Divides a model into its host side and its kernels.

    A **kernel** is the code of a group of ops: a private `func.func` with the
    attribute `dispatch.kernel`. Its last arguments are its destinations; on tensors
    it returns one result for each of them, of the same type, in the same order. On
    buffers it writes to them and returns nothing. A kernel reads and writes nothing
    but its arguments. Weights are arguments too, so that layers of equal structure
    are one kernel.

    A **dispatch** is one place of the host side that runs a kernel with its own
    operands: the op `dispatch.run`. Control flow, calls, and the arithmetic of sizes
    stay on the host side.

    ```mlir
    func.func private @matmul_tanh(%a: tensor<64x32xf32>, %b: tensor<32x16xf32>,
                                   %out: tensor<64x16xf32>) -> tensor<64x16xf32>
        attributes {dispatch.kernel} {
      %zero = arith.constant 0.0 : f32
      %0 = linalg.fill ins(%zero : f32) outs(%out : tensor<64x16xf32>)
        -> tensor<64x16xf32>
      %1 = linalg.matmul
        ins(%a, %b : tensor<64x32xf32>, tensor<32x16xf32>)
        outs(%0 : tensor<64x16xf32>) -> tensor<64x16xf32>
      %2 = linalg.tanh ins(%1 : tensor<64x16xf32>) outs(%out : tensor<64x16xf32>)
        -> tensor<64x16xf32>
      return %2 : tensor<64x16xf32>
    }

    func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>)
        -> tensor<64x16xf32> {
      %e = tensor.empty() : tensor<64x16xf32>
      %r = dispatch.run @matmul_tanh
        ins(%x, %w : tensor<64x32xf32>, tensor<32x16xf32>)
        outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
      return %r : tensor<64x16xf32>
    }
    ```

    The iterations of a kernel can be divided among **workgroups**, the points of a
    three-dimensional grid: `dispatch.workgroup_id` and `dispatch.workgroup_count`
    tell a kernel which part it computes.

    A dispatch may run on a **device** other than the host, on copies of its buffers
    there: `dispatch.transfer` updates one of them, `dispatch.wait` waits for the
    device.
  }];

  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Name of the attribute of functions that are kernels.
    static constexpr ::llvm::StringLiteral getKernelAttrName() {
      return "dispatch.kernel";
    }
    /// Name of the device whose memory is that of the program.
    static constexpr ::llvm::StringLiteral getHostName() { return "host"; }
  }];
}

#endif // MLIR_PROF_DIALECT_DISPATCH_DISPATCHDIALECT_TD
