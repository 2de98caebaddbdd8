//===- HloReader.h - Reads HLO protos ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_IMPORT_HLOREADER_H
#define MLIR_PROF_IMPORT_HLOREADER_H

#include "mlir-prof/Profile/HloModule.h"
#include "mlir-prof/Support/Loss.h"
#include "llvm/Support/Error.h"

namespace mlirprof {

/// Reads `bytes`, an XLA HloProto in binary form, into `module` (all but the
/// program id, which the proto does not hold). What it refers to and does not
/// have, or has in another form than the format says, is counted in `losses`.
/// Fails on bytes that are no protobuf; `where` names them.
llvm::Error readHloProto(llvm::StringRef bytes, llvm::StringRef where,
                         HloModule &module, LossList &losses);

} // namespace mlirprof

#endif // MLIR_PROF_IMPORT_HLOREADER_H
