//===- Advise.h - Advice on a recorded model --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_ADVISE_H
#define MLIR_PROF_SESSION_ADVISE_H

#include "mlir-prof/Advise/Advise.h"
#include "mlir-prof/Session/Session.h"

namespace mlirprof {

struct AdviseRequest {
  /// The rules to apply; empty means all.
  std::vector<const advise::AdviceRule *> rules;
  /// The file from which the session's module was read, or "".
  std::string model;
  /// A file of decisions or receipts of optimize, or "": advice that a search
  /// refuted on the ops of `model` is set aside.
  std::string decisions;
  NoteHandler onNote;
};

/// Applies the rules to a session whose profile is called `name`.
llvm::Expected<advise::AdviceReport>
adviseSession(const Session &session, llvm::StringRef name,
              const AdviseRequest &request = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_ADVISE_H
