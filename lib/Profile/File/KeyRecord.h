//===- KeyRecord.h - Op keys as files hold them -----------------*- C++ -*-===//
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

/// The message OpKey of proto/profile.proto, which says what each field means.
struct KeyRecord {
  OpKeyKind kind = OpKeyKind::FrameworkNode;
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
};

/// Shapes and frames are text in files.
KeyRecord toWire(const OpKey &key);
/// Never fails: text that is no shapes and no frame is kept as it is.
bool fromWire(KeyRecord &&record, OpKey &key);

} // namespace mlirprof::profile::schema

#endif // MLIR_PROF_LIB_PROFILE_FILE_KEYRECORD_H
