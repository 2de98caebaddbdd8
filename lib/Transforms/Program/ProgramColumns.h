//===- ProgramColumns.h - Fields of a program and their names ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defined once for the encoder and the decoder.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_PROGRAM_PROGRAMCOLUMNS_H
#define MLIR_PROF_LIB_TRANSFORMS_PROGRAM_PROGRAMCOLUMNS_H

#include "mlir-prof/Profile/Program.h"
#include "llvm/ADT/StringRef.h"

namespace mlirprof::transforms::columns {

inline constexpr int32_t kVersion = 1;

template <typename Row>
struct Column {
  llvm::StringLiteral name;
  uint32_t Row::*field;
};

inline constexpr Column<profile::ProgramNode> kNodes[] = {
    {"op", &profile::ProgramNode::op},
    {"name", &profile::ProgramNode::name},
    {"location", &profile::ProgramNode::location},
    {"file", &profile::ProgramNode::file},
    {"line", &profile::ProgramNode::line},
    {"container", &profile::ProgramNode::container},
    {"position", &profile::ProgramNode::position},
};

inline constexpr Column<profile::ProgramProbe> kProbes[] = {
    {"node", &profile::ProgramProbe::node},
    {"parent", &profile::ProgramProbe::parent},
    {"depth", &profile::ProgramProbe::depth},
    {"height", &profile::ProgramProbe::height},
};

struct ListColumn {
  llvm::StringLiteral name;
  llvm::StringLiteral lengths;
  std::vector<uint32_t> profile::ProgramNode::*field;
};

inline constexpr ListColumn kLists[] = {
    {"parents", "parent_counts", &profile::ProgramNode::parents},
    {"callers", "caller_counts", &profile::ProgramNode::callers},
};

struct Text {
  llvm::StringLiteral name;
  std::string profile::Program::*field;
};

inline constexpr Text kTexts[] = {
    {"fingerprint", &profile::Program::fingerprint},
    {"entry", &profile::Program::entry},
    {"pipeline", &profile::Program::pipeline},
    {"target", &profile::Program::target},
};

} // namespace mlirprof::transforms::columns

#endif // MLIR_PROF_LIB_TRANSFORMS_PROGRAM_PROGRAMCOLUMNS_H
