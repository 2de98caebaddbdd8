//===- Phrases.h - Advice in words ------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_ADVISE_PHRASES_H
#define MLIR_PROF_LIB_ADVISE_PHRASES_H

#include "mlir-prof/Advise/Advise.h"

namespace mlirprof::advise {

/// A parameter with its unit; text is made printable.
std::string format(const Parameter &parameter);

/// The rule's text about the advice, with its parameters.
/// The statistic behind the figures, in words and as a key.
llvm::StringRef getStatistic(const Advice &advice);
llvm::StringRef getStatisticKey(const Advice &advice);
/// The command, quoted for a shell; empty if the rule does not have one. MODEL
/// stands for an unknown model.
/// "not faster (1.012 of the time, spread 0.4 %, 40 rounds)".
std::string getEnd(const OpTrial &trial);
/// "may save 1.200 ms, 12.0 % of the ops' time", "gain not known", or "tried:
/// not faster (...); 1.200 ms, 12.0 % of the ops' time set aside".
std::string getGain(const Advice &advice);

} // namespace mlirprof::advise

#endif // MLIR_PROF_LIB_ADVISE_PHRASES_H
