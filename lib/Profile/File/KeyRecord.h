//===- KeyRecord.h - Op keys in files ---------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_FILE_KEYRECORD_H
#define MLIR_PROF_LIB_PROFILE_FILE_KEYRECORD_H

#include "mlir-prof/Profile/OpKey.h"

namespace mlirprof::profile::schema {

/// OpKey.Kind of proto/profile.proto.
enum class KeyKind : uint8_t {
  HloInstruction,
  FrameworkNode,
  Code,
  Probe,
  Outside,
  FrameworkCall,
  OnnxNode,
};

/// The message OpKey of proto/profile.proto, which documents the fields.
struct KeyRecord {
  KeyKind kind = KeyKind::FrameworkNode;
  std::string module;
  bool hasModule = false;
  int64_t programId = 0;
  bool hasProgramId = false;
  std::string op;
  std::string kernel;
  uint32_t node = 0;
  std::vector<std::string> scope;
  std::vector<std::string> callers;
  std::vector<std::string> frames;
  std::string shapes;
  std::string graphNode;
  uint32_t ordinal = trace::kNone;
  int64_t sequence = -1;
  CallPhase phase = CallPhase::Forward;
  OriginKind originKind = OriginKind::Unknown;
  std::vector<OriginNode> origins;
  DeviceWork deviceWork = DeviceWork::None;
};

/// The fields of a record except those of all kinds, as bits. A field and the
/// flag that says whether it is present are one.
enum KeyField : uint16_t {
  kNoField = 0,
  kModule = 1 << 0,
  kProgramId = 1 << 1,
  kNode = 1 << 2,
  kScope = 1 << 3,
  kCallers = 1 << 4,
  kFrames = 1 << 5,
  kShapes = 1 << 6,
  kGraphNode = 1 << 7,
  kOrdinal = 1 << 8,
  kSequence = 1 << 9,
  kPhase = 1 << 10,
  kOrigins = 1 << 11,
};

/// Those that `record` has.
uint16_t getFields(const KeyRecord &record);

/// As the producer of the key's kind stores it.
KeyRecord toWire(const OpKey &key);
/// Never fails: a record that no producer holds whole becomes an UnknownKey.
void fromWire(KeyRecord &&record, OpKey &key);

} // namespace mlirprof::profile::schema

#endif // MLIR_PROF_LIB_PROFILE_FILE_KEYRECORD_H
