//===- Tiny.td - A dialect whose ops have profiles ---------*- tablegen -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "mlir-prof/Dialect/Prof/ProfInterfaces.td"
include "mlir/IR/OpBase.td"

def Tiny_Dialect : Dialect {
  let name = "tiny";
  let cppNamespace = "::tiny";
}

// The trait is all that most ops need: their profile is in `prof.data`.
def Tiny_ScaleOp : Op<Tiny_Dialect, "scale", [ProfileAnnotation]> {
  let arguments = (ins AnyTensor:$input, F32Attr:$factor);
  let results = (outs AnyTensor:$result);
  let assemblyFormat =
      "$input `by` $factor attr-dict `:` type($input) `->` type($result)";
}

// An op that keeps something of its own: how hot it is, in whole milliseconds.
def Tiny_KernelOp : Op<Tiny_Dialect, "kernel",
    [DeclareOpInterfaceMethods<ProfiledOpInterface>]> {
  let arguments = (ins AnyTensor:$input, OptionalAttr<I64Attr>:$milliseconds);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}
