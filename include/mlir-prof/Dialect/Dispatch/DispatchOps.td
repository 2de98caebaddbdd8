//===- DispatchOps.td - Runs of kernels --------------------*- tablegen -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_DISPATCH_DISPATCHOPS_TD
#define MLIR_PROF_DIALECT_DISPATCH_DISPATCHOPS_TD

include "mlir-prof/Dialect/Dispatch/DispatchDialect.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Dispatch_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dispatch_Dialect, mnemonic, traits>;

def Dispatch_Scalar
    : AnyTypeOf<[AnySignlessInteger, Index, AnyFloat, AnyComplex], "number">;
def Dispatch_Input
    : AnyTypeOf<[AnyRankedTensor, AnyMemRef, Dispatch_Scalar]>;
def Dispatch_Output : AnyTypeOf<[AnyRankedTensor, AnyMemRef]>;
def Dispatch_Origins
    : TypedArrayAttrBase<DenseI32ArrayAttr, "array of identities per op">;

def Dispatch_RunOp : Dispatch_Op<"run", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Run a kernel";
  let description = [{
    Runs `kernel` with the operands as its arguments, `ins` before `outs`. On tensors,
    the results are the contents of the destinations afterward. On buffers, the op
    writes to them and does not have results.

    An operand may have sizes that the kernel's argument does not tell: the kernel
    runs with those of each of its dispatches.

    Contents of a destination before the run do not matter, unless its position in
    `outs` is listed in `updates`: a kernel that inserts a part reads or keeps the
    rest.

    ```mlir
    %r = dispatch.run @matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x2xf32>)
           outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
    dispatch.run @matmul ins(%x, %w : memref<4x8xf32>, memref<8x2xf32>)
      outs(%e : memref<4x2xf32>)
    dispatch.run @insert_row ins(%row, %at : memref<8xf32>, index)
      outs(%cache : memref<64x8xf32>) updates [0]
    ```

    `share-dispatches` numbers the dispatches of a module (`instance`). Since one
    kernel then serves several, it also keeps which ops each of them stands for:
    `origins` has an entry for each op in the body of the kernel other than
    constants, in pre-order, with the identities that the op had in this dispatch
    before its kernel was shared.

    A dispatch runs on the host, or on the `device` that it names. Each device has
    memory of its own, with a place for each part of a buffer that it uses:
    `insert-transfers` keeps these parts up to date.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel,
                       Variadic<Dispatch_Input>:$inputs,
                       Variadic<Dispatch_Output>:$outputs,
                       OptionalAttr<DenseI64ArrayAttr>:$updates,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$instance,
                       OptionalAttr<Dispatch_Origins>:$origins,
                       OptionalAttr<StrAttr>:$device);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $kernel (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outputs^ `:` type($outputs) `)`)? (`updates` $updates^)?
    attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Outputs can be replaced through the range, but not added: it leaves the
    /// sizes of the segments out, as each call would build an attribute of them.
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      auto [begin, count] = getODSOperandIndexAndLength(1);
      return {getOperation(), begin, count};
    }
    /// Whether the content of output `index` before the run matters.
    bool isUpdated(int64_t index);
    /// The kernel, found by walking the module; null if it does not exist.
    ::mlir::func::FuncOp lookUpKernel();
  }];
}

def Dispatch_TransferOp : Dispatch_Op<"transfer", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Copy a buffer between the host and a device";
  let description = [{
    Copies the content of `buffer` from the host's memory to that of the device `to`,
    or from the device `from` to the host. A buffer has a place in the memory of each
    device that uses it. `range` is the part that is copied: the first byte, and how
    many; all bytes without it.

    A device does its dispatches and its transfers in order, while the host goes on;
    it is done with them after `dispatch.wait`.

    ```mlir
    dispatch.transfer %x to "npu" : memref<4x8xf32>
    dispatch.run @matmul ins(%x, %w : memref<4x8xf32>, memref<8x2xf32>)
      outs(%y : memref<4x2xf32>) {device = "npu"}
    dispatch.transfer %y from "npu" range [0, 16] : memref<4x2xf32>
    dispatch.wait "npu"
    ```
  }];
  let arguments = (ins AnyMemRef:$buffer, OptionalAttr<StrAttr>:$from,
                       OptionalAttr<StrAttr>:$to,
                       OptionalAttr<DenseI64ArrayAttr>:$range);
  let assemblyFormat = [{
    $buffer (`from` $from^)? (`to` $to^)? (`range` $range^)? attr-dict
    `:` type($buffer)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isToDevice() { return getTo().has_value(); }
    /// The device that is not the host.
    ::llvm::StringRef getDevice() { return isToDevice() ? *getTo() : *getFrom(); }
  }];
}

def Dispatch_WaitOp : Dispatch_Op<"wait"> {
  let summary = "Wait for a device";
  let description = [{
    Returns when the device is done with all dispatches and transfers in front of it.

    ```mlir
    dispatch.wait "npu"
    ```
  }];
  let arguments = (ins StrAttr:$device);
  let assemblyFormat = "$device attr-dict";
  let hasVerifier = 1;
}

class Dispatch_IndexOp<string mnemonic> : Dispatch_Op<mnemonic, [Pure]> {
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<0>, IntMaxValue<2>]>
                       :$dimension);
  let results = (outs Index:$result);
  let assemblyFormat = "$dimension attr-dict";
  let hasVerifier = 1;
}

def Dispatch_WorkgroupIdOp : Dispatch_IndexOp<"workgroup_id"> {
  let summary = "The position of the running workgroup";
  let description = [{
    The workgroup's position in one dimension of the grid, from 0 to the result of
    `dispatch.workgroup_count` less 1. Only kernels have workgroups.

    ```mlir
    %x = dispatch.workgroup_id 0
    ```
  }];
}

def Dispatch_WorkgroupCountOp : Dispatch_IndexOp<"workgroup_count"> {
  let summary = "The number of workgroups";
  let description = [{
    The size of the grid in one dimension, at least 1. The same for all workgroups of
    a dispatch.

    ```mlir
    %n = dispatch.workgroup_count 0
    ```
  }];
}

#endif // MLIR_PROF_DIALECT_DISPATCH_DISPATCHOPS_TD
