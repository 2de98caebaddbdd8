//===- ProfDialect.td - The prof dialect -------------------*- tablegen -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_PROF_PROFDIALECT_TD
#define MLIR_PROF_DIALECT_PROF_PROFDIALECT_TD

include "mlir/IR/DialectBase.td"

def Prof_Dialect : Dialect {
  let name = "prof";
  let summary = "Measured times on the ops that own them";
  let cppNamespace = "::mlirprof::prof";
  let description = [{
    A profile gets onto a module in one of two ways.

    **As attributes.** Every op that owns measured time carries
    `prof.data = #prof.data<...>`, and the module carries
    `prof.coverage = #prof.coverage<...>`, which says how much of the measured time
    found an owner. Attributes suit people, tools and passes that read the times at
    this level:

    ```mlir
    %0 = "stablehlo.tanh"(%arg0) {prof.data = #prof.data<count = 5,
           sole_ps = 310220000, first_begin_ps = 6520>}
           : (tensor<8xf32>) -> tensor<8xf32>
    ```

    An attribute on an op can change what is compiled: CSE merges two ops only when
    their attributes are equal, some folds and patterns refuse ops with attributes
    that they do not know, and most conversions drop them. Strip the attributes
    (`prof-strip`) before compiling an annotated module.

    **As locations.** The same numbers stand as builtin attributes in the
    metadata of a fused location around the op's own:

    ```mlir
    loc(fused<{prof.data = array<i64: 7, 5, 310220000, 0, 0, 6520>}>["net/tanh"])
    ```

    The numbers are: the op's index in the annotated module (in pre-order; the
    module is 0), count, sole_ps, shared_ps, estimated_ps, first_begin_ps. The
    module's own location holds the coverage in the same way, as `prof.coverage`,
    with the numbers of `#prof.coverage` in order. Ops in the regions of an owner
    that do not own time themselves carry the owner's data too: a fusion may leave
    nothing else of it. Any tool parses these locations without this dialect,
    lowering passes keep them, and the compiled code stays the same to the last bit.
    `prof-materialize` turns them into attributes at any later level.

    **Identities.** While a model is compiled for recording, every op carries an
    integer in its location, `loc(fused<{prof = 7 : i32}>["net/tanh"])`: the index
    of its node in `prof.program`. That is a dictionary of builtin attributes on the
    module, which lists the ops of every level of the program and the nodes of
    earlier levels that they came from.
  }];

  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Name of the discardable attribute that holds an op's data.
    static constexpr ::llvm::StringLiteral getDataAttrName() {
      return "prof.data";
    }
    /// Name of the module's attribute that holds the coverage.
    static constexpr ::llvm::StringLiteral getCoverageAttrName() {
      return "prof.coverage";
    }
    /// Name of the module's attribute that holds the program while compiling.
    static constexpr ::llvm::StringLiteral getProgramAttrName() {
      return "prof.program";
    }
    /// Name of the attribute of the function argument that is the result of a
    /// `prof.part`.
    static constexpr ::llvm::StringLiteral getPartAttrName() {
      return "prof.part";
    }
    /// Name of the module's attribute that lists the probes of dispatches.
    static constexpr ::llvm::StringLiteral getPartsAttrName() {
      return "prof.parts";
    }
    /// Adds the ops of probes and their type.
    void registerProbes();
  }];
}

#endif // MLIR_PROF_DIALECT_PROF_PROFDIALECT_TD
