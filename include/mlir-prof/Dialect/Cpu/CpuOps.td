//===- CpuOps.td - The cpu dialect -------------------------*- tablegen -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_CPU_CPUOPS_TD
#define MLIR_PROF_DIALECT_CPU_CPUOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Cpu_Dialect : Dialect {
  let name = "cpu";
  let summary = "Code for buffers that stands among tensors";
  let cppNamespace = "::mlirprof::cpu";
  let description = [{
    The rules of the default pipeline turn structured ops into loops of vectors on
    buffers, while the ops around them are still on tensors: bufferization, whose
    analysis compares all reads and writes of tensors, then sees one op for each
    nest of loops.

    The transforms of Winograd's algorithm are ops, too, until kernels are compiled:
    the passes before that see one op instead of hundreds for each of them.
  }];
}

def Cpu_NestOp : Op<Cpu_Dialect, "nest",
    [AttrSizedOperandSegments, DestinationStyleOpInterface, NoMemoryEffect,
     NoTerminator, SingleBlock,
     DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "Compute tensors by loops on their buffers";
  let description = [{
    The arguments of the body are the buffers of the inputs and then of the outputs.
    The body writes all elements of the outputs, and nothing else. It reads inputs,
    and with `reads_outputs` also outputs, each element only before it is written, at
    the same point of the loops. So are the inputs read whose positions `elementwise`
    lists: they may share the buffer of an output. The body may read what it has
    written itself. Apart from buffers, the body uses scalars and sizes of the code
    around it.

    One-shot bufferization replaces the op by its body.

    ```mlir
    %r = cpu.nest ins(%x : tensor<32xf32>) outs(%init : tensor<32xf32>)
        attributes {elementwise = array<i32: 0>} {
    ^bb0(%in: memref<32xf32>, %out: memref<32xf32>):
      scf.for %i = %c0 to %c32 step %c8 {
        %v = vector.load %in[%i] : memref<32xf32>, vector<8xf32>
        vector.store %v, %out[%i] : memref<32xf32>, vector<8xf32>
      }
    } -> tensor<32xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$outputs,
                       DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$elementwise,
                       UnitAttr:$reads_outputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)`
    attr-dict-with-keyword $body `->` type($results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Outputs can be replaced through the range, but not added: it leaves the
    /// sizes of the segments out, as each call would build an attribute of them.
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      auto [begin, count] = getODSOperandIndexAndLength(1);
      return {getOperation(), begin, count};
    }
  }];
}

class Cpu_WinogradOp<string mnemonic> : Op<Cpu_Dialect, mnemonic,
    [DestinationStyleOpInterface, Pure]> {
  let assemblyFormat = [{
    `ins` `(` $source `:` type($source) `)`
    `outs` `(` $init `:` type($init) `)` attr-dict `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
  }];
}

def Cpu_WinogradInputOp : Cpu_WinogradOp<"winograd_input"> {
  let summary = "Transform an image for products by Winograd's algorithm";
  let description = [{
    Cuts an image, batch x height x width x channels, into overlapping tiles of
    `outputs + 2` pixels a side, one for each `outputs` x `outputs` pixels of the
    result of a convolution of 3x3 taps. `outputs` is 2 or 4. The tiles cover the
    image. The result has the numbers of each tile at one place of the transform
    together: (outputs + 2)^2 x tiles x channels.

    ```mlir
    %tiles = cpu.winograd_input ins(%image : tensor<1x14x14x16xf32>)
        outs(%init : tensor<36x9x16xf32>) {outputs = 4} -> tensor<36x9x16xf32>
    ```
  }];
  let arguments = (ins 4DTensorOf<[F32]>:$source, 3DTensorOf<[F32]>:$init,
                       I64Attr:$outputs);
  let results = (outs 3DTensorOf<[F32]>:$result);
}

def Cpu_WinogradOutputOp : Cpu_WinogradOp<"winograd_output"> {
  let summary = "Transform products of Winograd's algorithm to an image";
  let description = [{
    Computes the result of a convolution, batch x height x width x filters, from the
    products at each place of the transform, (outputs + 2)^2 x tiles x filters.
    Tiles may reach beyond the result.

    ```mlir
    %sums = cpu.winograd_output ins(%products : tensor<36x9x16xf32>)
        outs(%init : tensor<1x11x12x16xf32>) {outputs = 4} -> tensor<1x11x12x16xf32>
    ```
  }];
  let arguments = (ins 3DTensorOf<[F32]>:$source, 4DTensorOf<[F32]>:$init,
                       I64Attr:$outputs);
  let results = (outs 4DTensorOf<[F32]>:$result);
}

#endif // MLIR_PROF_DIALECT_CPU_CPUOPS_TD
