//===- ProfOps.td - Probes ---------------------------------*- tablegen -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_PROF_PROFOPS_TD
#define MLIR_PROF_DIALECT_PROF_PROFOPS_TD

include "mlir-prof/Dialect/Prof/ProfDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Prof_TokenType : TypeDef<Prof_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "One execution of a probe";
  let description = [{
    Links a `prof.end` to its `prof.begin`. A token is always the direct result of a
    `prof.begin`.
  }];
}

/// What probes read and write: their own counters, nothing that a program could
/// see. So they are kept in order, neither merged nor removed, and do not stand
/// in the way of what upstream's passes do with memory.
def Prof_ProbeResource : Resource<"::mlirprof::prof::ProbeResource">;

class Prof_Op<string mnemonic> : Op<Prof_Dialect, mnemonic,
    [MemoryEffects<[MemRead<Prof_ProbeResource>,
                    MemWrite<Prof_ProbeResource>]>]> {
  let hasVerifier = 1;
}

def Prof_Index : ConfinedAttr<I32Attr, [IntNonNegative]>;

def Prof_BeginOp : Prof_Op<"begin"> {
  let summary = "Start a measurement";
  let description = [{
    The probe `probe` (an index into the probes of the module's program) starts here
    and ends at each `prof.end` of the token. Back ends do not know probes:
    `prof-lower-probes` turns them into code or drops them, and `prof-lines` drops
    any that are left.

    `calls` says that calls may be executed before the end, whose own probes then
    count as nested in this one.

    ```mlir
    %0 = prof.begin 3
    linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>)
                  outs(%c : memref<4x4xf32>)
    prof.end 3, %0
    ```
  }];
  let arguments = (ins Prof_Index:$probe, UnitAttr:$calls);
  let results = (outs Prof_TokenType:$token);
  let assemblyFormat = "$probe (`calls` $calls^)? attr-dict";
}

def Prof_EndOp : Prof_Op<"end"> {
  let summary = "End a measurement";
  let description = [{
    Ends the measurement that the `prof.begin` of the token started. The op repeats
    the number of the probe, so that no pass merges the ends of different probes.
  }];
  let arguments = (ins Prof_Index:$probe, Prof_TokenType:$token);
  let assemblyFormat = "$probe `,` $token attr-dict";
}

def Prof_ValueOp : Prof_Op<"value"> {
  let summary = "Record values";
  let description = [{
    Counts how often this tuple of values was seen at the site `site` (an index into
    the sites of the module's program). `hot` asks for code that is cheap when the
    same tuple follows again.

    ```mlir
    prof.value 0(%rows, %columns) : i64, i64
    ```
  }];
  let arguments = (ins Prof_Index:$site,
                       Variadic<AnyTypeOf<[Index, I64]>>:$values,
                       UnitAttr:$hot);
  let assemblyFormat = [{
    $site `(` $values `)` (`hot` $hot^)? attr-dict `:` type($values)
  }];
}

def Prof_PartOp : Op<Prof_Dialect, "part", [Pure]> {
  let summary = "The probes of a dispatch";
  let description = [{
    The address of the record (`prof_rt_part` of the runtime) from which the code of a
    kernel learns which probes are those of the dispatch `dispatch`: an argument of the
    kernel, which other dispatches call with records of their own. The argument has the
    attribute `prof.part`. `prof.parts` on the module lists the probes of each dispatch.

    ```mlir
    %0 = prof.part 3
    ```
  }];
  let arguments = (ins Prof_Index:$dispatch);
  let results = (outs I64:$result);
  let assemblyFormat = "$dispatch attr-dict";
}

#endif // MLIR_PROF_DIALECT_PROF_PROFOPS_TD
