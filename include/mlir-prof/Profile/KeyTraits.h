//===- KeyTraits.h - Facts that all kinds of op keys may have ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports, exports, comparisons and advice handle op keys of every kind through
// these functions, which the producer of the kind implements
// (lib/Profile/Producers).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_KEYTRAITS_H
#define MLIR_PROF_PROFILE_KEYTRAITS_H

#include "mlir-prof/Profile/OpKey.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlirprof::profile {

/// Facts about a measured op, whatever its kind. Texts are those of the key,
/// which must outlive them; empty ones are unknown.
struct KeyTraits {
  /// The module or program that contains it, and the number of that.
  std::optional<llvm::StringRef> module;
  std::optional<int64_t> programId;
  /// The kind of op, in the producer's words: "aten::addmm", "Conv".
  llvm::StringRef opType;
  /// The function that ran for it.
  llvm::StringRef kernel;
  /// The library function that its code had called.
  llvm::StringRef libraryFunction;
  /// The graph node for which it ran.
  llvm::StringRef graphNode;
  /// Module calls and ops around it, outermost first.
  llvm::ArrayRef<std::string> scope;
  llvm::ArrayRef<std::string> callers;
  /// Source functions around it, outermost first.
  llvm::ArrayRef<SourcePosition> frames;
  /// Shapes of its inputs; null if the kind does not have any.
  const InputShapes *shapes = nullptr;
  uint32_t ordinal = trace::kNone;
  CallPhase phase = CallPhase::Forward;
  /// Whether it is a call. Each call may be a separate op key: op, kernel and
  /// shapes identify the function, the rest its place.
  bool isCall = false;
  /// Whether it is time outside of the model.
  bool isOutside = false;
  /// Whether op may be a symbol of the system.
  bool mayBeSymbol = false;
  /// Whether work that it started may continue after its end.
  bool isAsynchronous = false;

  bool hasShapes() const { return shapes && !shapes->empty(); }
};

KeyTraits getKeyTraits(const OpKey &key);

/// The ops and modules around the op, as a path: "MLP_0/Linear_1", "command
/// buffer 3"; "".
std::string getKeyScope(const OpKey &key);

/// The key as people write it: "module(program_id)/op", "node:kernel",
/// "MLP_0/Linear_1/aten::linear/aten::addmm #4".
std::string getKeyLabel(const OpKey &key);

/// The name of its events.
std::string getEventName(const OpKey &key);

/// Appends the scope of the op and the op itself, outermost first.
void addKeyStack(const OpKey &key, std::vector<std::string> &stack);

/// "name(program_id)", as far as they are known; "" without a module.
std::string printModule(const KeyTraits &traits);

/// The parts of a path, separated by '/'. Those after the 64th stay together:
/// each would be part of every line of a stack.
void splitPath(llvm::StringRef path, std::vector<std::string> &parts);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_KEYTRAITS_H
