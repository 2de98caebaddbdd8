//===- KeyTraits.h - What all kinds of op keys may know ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports, exports, comparisons and advice are about op keys of every kind:
// they ask here, and the producer of the kind answers
// (lib/Profile/Producers).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_KEYTRAITS_H
#define MLIR_PROF_PROFILE_KEYTRAITS_H

#include "mlir-prof/Profile/OpKey.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlirprof::profile {

/// What is known of a measured op, whatever its kind. Texts are those of the
/// key, which must outlive it; empty ones mean that nothing is known.
struct KeyTraits {
  /// The module or program that it is in, and the number of that.
  std::optional<llvm::StringRef> module;
  std::optional<int64_t> programId;
  /// What kind of op it is, in the producer's words: "aten::addmm", "Conv".
  llvm::StringRef opType;
  /// What ran for it.
  llvm::StringRef kernel;
  /// The function of a library that its code had called.
  llvm::StringRef libraryFunction;
  /// The node of a graph that it was run for.
  llvm::StringRef graphNode;
  /// What is around it, outermost first: calls of the model's modules, and ops.
  llvm::ArrayRef<std::string> scope;
  llvm::ArrayRef<std::string> callers;
  /// Source functions around it, outermost first.
  llvm::ArrayRef<SourcePosition> frames;
  /// Of its inputs; null where the kind has none.
  const InputShapes *shapes = nullptr;
  uint32_t ordinal = trace::kNone;
  CallPhase phase = CallPhase::Forward;
  /// Whether it is a call, of which each may be an op key of its own: op,
  /// kernel and shapes say what was called, the rest where.
  bool isCall = false;
  /// Whether it is time outside of the model.
  bool isOutside = false;
  /// Whether op may be a symbol of the system.
  bool mayBeSymbol = false;
  /// Whether work that it started may go on behind it.
  bool isAsynchronous = false;

  bool hasShapes() const { return shapes && !shapes->empty(); }
};

KeyTraits getKeyTraits(const OpKey &key);

/// What is around the op, as a path: "MLP_0/Linear_1", "command buffer 3"; "".
std::string getKeyScope(const OpKey &key);

/// The key as people write it: "module(program_id)/op", "node:kernel",
/// "MLP_0/Linear_1/aten::linear/aten::addmm #4".
std::string getKeyLabel(const OpKey &key);

/// The name of its events.
std::string getEventName(const OpKey &key);

/// Appends what is around the op and the op itself, outermost first.
void addKeyStack(const OpKey &key, std::vector<std::string> &stack);

/// "name(program_id)", as far as they are known; "" without a module.
std::string printModule(const KeyTraits &traits);

/// The parts of a path that '/' separates. Those beyond 64 stay together: each
/// would stand in every line of a stack.
void splitPath(llvm::StringRef path, std::vector<std::string> &parts);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_KEYTRAITS_H
