//===- Producers.h - One producer for each kind of op keys ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_PRODUCERS_PRODUCERS_H
#define MLIR_PROF_LIB_PROFILE_PRODUCERS_PRODUCERS_H

#include "../File/KeyRecord.h"
#include "mlir-prof/Profile/KeyTraits.h"

namespace mlirprof::profile {

/// The form of op keys of one kind in files, and their traits for other
/// libraries. A kind has a struct in OpKey.h, a file here, a line in
/// Producers.def and a line in lib/Match/Matchers.def; CONTRIBUTING.md lists
/// the other steps of adding one. All functions are set, except where a comment
/// says what null means.
struct KeyProducer {
  /// The fields of a record that keys of this kind have (schema::KeyField); a
  /// record with other fields is not read as such a key.
  uint16_t fields = schema::kNoField;
  /// Whether a record is of this kind, among kinds that share their number in
  /// files. Null for the kind that has all others of that number.
  bool (*isOf)(const schema::KeyRecord &record) = nullptr;
  /// Stores the details of `key` in `record`, whose kind, op and kernel are
  /// set.
  void (*store)(const OpKey &key, schema::KeyRecord &record) = nullptr;
  /// The inverse: `key` has its op and kernel. Returns false, without changing
  /// anything, if the fields contradict each other.
  bool (*load)(schema::KeyRecord &record, OpKey &key) = nullptr;
  /// See KeyTraits.h.
  KeyTraits (*getTraits)(const OpKey &key) = nullptr;
  /// Null for "".
  std::string (*getScope)(const OpKey &key) = nullptr;
  std::string (*getLabel)(const OpKey &key) = nullptr;
  /// Null for the label.
  std::string (*getEventName)(const OpKey &key) = nullptr;
  void (*addStack)(const OpKey &key, std::vector<std::string> &stack) = nullptr;
};

namespace producer {

#define MLIRPROF_PRODUCER(NAME, KIND) KeyProducer NAME();
#include "mlir-prof/Profile/Producers.def"
KeyProducer Unknown();

//===----------------------------------------------------------------------===//
// Shared by several kinds
//===----------------------------------------------------------------------===//

/// "node:kernel".
std::string printNode(const OpKey &key);
/// "node:kernel in dispatch 3", for places in programs.
std::string printPlace(const OpKey &key);
/// "op:kernel #ordinal": anything less does not distinguish calls of one place.
std::string printCall(const OpKey &key, uint32_t ordinal);
/// The kernel, or else the op.
std::string getCallName(const OpKey &key);

/// Appends the op, and the kernel that ran for it.
void addCall(const OpKey &key, std::vector<std::string> &stack);
/// Appends the parts of a path, or `path` itself if it does not have any.
void addPath(llvm::StringRef path, std::vector<std::string> &stack);
/// Appends the kernel, unless it is "" or the end of the stack.
void addKernel(const OpKey &key, std::vector<std::string> &stack);

std::vector<SourcePosition> parseFrames(const std::vector<std::string> &frames);

void storeOrigins(const NodeOrigins &origins, schema::KeyRecord &record);
NodeOrigins takeOrigins(schema::KeyRecord &record);

} // namespace producer
} // namespace mlirprof::profile

#endif // MLIR_PROF_LIB_PROFILE_PRODUCERS_PRODUCERS_H
