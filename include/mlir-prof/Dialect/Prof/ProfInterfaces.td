//===- ProfInterfaces.td - Interface of ops with a profile -*- tablegen -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_PROF_PROFINTERFACES_TD
#define MLIR_PROF_DIALECT_PROF_PROFINTERFACES_TD

include "mlir/IR/OpBase.td"

def ProfiledOpInterface : OpInterface<"ProfiledOpInterface"> {
  let description = [{
    An op that measurements can be attached to.

    A dialect whose ops keep their profile in the usual place takes the trait
    `ProfileAnnotation`; one that keeps it elsewhere (in an inherent attribute,
    say) implements the methods itself. Every other registered op gets an
    external model, and unregistered ops, which cannot carry interfaces, are
    served by the functions of ProfileData.h. Those functions work for all ops.
  }];
  let cppNamespace = "::mlirprof::prof";
  let methods = [
    InterfaceMethod<"Attaches `data`, and replaces earlier data.",
      "void", "attachProfile", (ins "::mlirprof::prof::DataAttr":$data)>,
    InterfaceMethod<"The op's data, or null.",
      "::mlirprof::prof::DataAttr", "getProfile">,
    InterfaceMethod<"Whether the op has data.", "bool", "hasProfile">,
    InterfaceMethod<"Removes the data.", "void", "stripProfile">,
  ];
}

def Prof_ProfileAnnotationTrait : NativeOpTrait<"ProfileAnnotation"> {
  let cppNamespace = "::mlirprof::prof";
}

/// For a dialect's own ops: implements ProfiledOpInterface over the discardable
/// attribute `prof.data`.
def ProfileAnnotation
    : TraitList<[Prof_ProfileAnnotationTrait, ProfiledOpInterface]>;

#endif // MLIR_PROF_DIALECT_PROF_PROFINTERFACES_TD
