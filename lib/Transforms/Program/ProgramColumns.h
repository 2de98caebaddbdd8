//===- ProgramColumns.h - Fields of a program and their names ---*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Said once for the encoder and the decoder.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_PROGRAM_PROGRAMCOLUMNS_H
#define MLIR_PROF_LIB_TRANSFORMS_PROGRAM_PROGRAMCOLUMNS_H

#include "mlir-prof/Profile/Program.h"
#include "llvm/ADT/StringRef.h"

namespace mlirprof::columns {

inline constexpr int32_t kVersion = 1;

template <typename Row>
struct Column {
  llvm::StringLiteral name;
  uint32_t Row::*field;
};

inline constexpr Column<ProgramNode> kNodes[] = {
    {"op", &ProgramNode::op},
    {"name", &ProgramNode::name},
    {"location", &ProgramNode::location},
    {"file", &ProgramNode::file},
    {"line", &ProgramNode::line},
    {"container", &ProgramNode::container},
    {"position", &ProgramNode::position},
};

inline constexpr Column<ProgramProbe> kProbes[] = {
    {"node", &ProgramProbe::node},
    {"parent", &ProgramProbe::parent},
    {"depth", &ProgramProbe::depth},
    {"height", &ProgramProbe::height},
};

struct ListColumn {
  llvm::StringLiteral name;
  llvm::StringLiteral lengths;
  std::vector<uint32_t> ProgramNode::*field;
};

inline constexpr ListColumn kLists[] = {
    {"parents", "parent_counts", &ProgramNode::parents},
    {"callers", "caller_counts", &ProgramNode::callers},
};

struct Text {
  llvm::StringLiteral name;
  std::string Program::*field;
};

inline constexpr Text kTexts[] = {
    {"fingerprint", &Program::fingerprint},
    {"entry", &Program::entry},
    {"pipeline", &Program::pipeline},
    {"target", &Program::target},
};

} // namespace mlirprof::columns

#endif // MLIR_PROF_LIB_TRANSFORMS_PROGRAM_PROGRAMCOLUMNS_H
