//===- ProfAttributes.td - Attributes of the prof dialect --*- tablegen -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_PROF_PROFATTRIBUTES_TD
#define MLIR_PROF_DIALECT_PROF_PROFATTRIBUTES_TD

include "mlir-prof/Dialect/Prof/ProfDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Prof_Attr<string name, string attrMnemonic> : AttrDef<Prof_Dialect, name> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
}

/// A number that is not written when it is 0.
class Prof_Number<string type, string desc>
    : DefaultValuedParameter<type, "0", desc>;

def Prof_DataAttr : Prof_Attr<"Data", "data"> {
  let summary = "Measurements of one op";
  let description = [{
    Times are integers in picoseconds; none but `first_begin_ps` is negative.

    `sole_ps` is time whose only owner is this op. `shared_ps` is the time
    of sets of ops that ran as one, or that nothing tells apart, and that this op
    belongs to; the shared times of different ops overlap and are never added up.
    `estimated_ps` is this op's estimated part of its shared times; the parts of
    one set add up to exactly the set's time. `count` is the number of measured
    events that the op had a part in, `first_begin_ps` when the first of them
    began, relative to the anchor of the recording's clock.

    Numbers that are 0 are left out:

    ```mlir
    #prof.data<count = 5, sole_ps = 310220000, first_begin_ps = 6520>
    ```
  }];
  let parameters = (ins
    Prof_Number<"uint64_t", "measured events">:$count,
    Prof_Number<"int64_t", "time of this op alone">:$sole_ps,
    Prof_Number<"int64_t", "time of the sets it belongs to">:$shared_ps,
    Prof_Number<"int64_t", "its estimated part of shared_ps">:$estimated_ps,
    Prof_Number<"int64_t", "begin of the first event">:$first_begin_ps);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// What tables sort by and pictures color by.
    int64_t getTotalPs() const;
  }];
}

def Prof_CoverageAttr : Prof_Attr<"Coverage", "coverage"> {
  let summary = "How much of a profile found an owner in the module";
  let description = [{
    `op_time_ps` is the time of all measured ops and the sum of the five
    classes: of measured ops with exactly one op in the module (`unique_ps`), with
    several of one name that nothing tells apart (`ambiguous_ps`), that are
    fusions of several names (`fused_ps`), of which some names are missing
    (`partial_ps`), and without an owner (`unmatched_ps`). `owned_ps` is the total
    time (sole plus estimated) of all ops together. `mean_fused_members_ppm` is
    the mean number of members of a fused match, weighted by time, in millionths.
  }];
  let parameters = (ins
    Prof_Number<"int64_t", "time of all measured ops">:$op_time_ps,
    Prof_Number<"int64_t", "total time of all ops">:$owned_ps,
    Prof_Number<"int64_t", "time with one owner">:$unique_ps,
    Prof_Number<"int64_t", "time of several ops under one name">:$ambiguous_ps,
    Prof_Number<"int64_t", "time of several names that ran as one">:$fused_ps,
    Prof_Number<"int64_t", "time of names of which some do not have an op">:$partial_ps,
    Prof_Number<"int64_t", "time without an owner">:$unmatched_ps,
    Prof_Number<"int64_t", "mean members of a fused match">:$mean_fused_members_ppm);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // MLIR_PROF_DIALECT_PROF_PROFATTRIBUTES_TD
