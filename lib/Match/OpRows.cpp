//===- OpRows.cpp - Descriptions of a module's ops ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpRows.h"

using namespace mlirprof;

/// "names (file:line:column)", of which either may be missing.
static std::string describeLocation(const LocationTable &locations,
                                    const LocationInfo &info) {
  std::string text;
  for (uint32_t name : info.names) {
    if (!text.empty())
      text += "; ";
    text += locations.getName(name);
  }
  const Frame &frame = info.getUserFrame();
  if (!frame)
    return text;
  if (!text.empty())
    text += " (";
  bool brackets = !text.empty();
  text += frame.file;
  text += ':';
  text += std::to_string(frame.line);
  if (frame.column != 0) {
    text += ':';
    text += std::to_string(frame.column);
  }
  if (brackets)
    text += ')';
  return text;
}

std::vector<MlirOp> mlirprof::describeOps(const ModuleIndex &index,
                                          PathResolver &resolver,
                                          PathStyle style) {
  std::vector<MlirOp> rows(index.size());
  for (uint32_t i = 0; i < index.size(); ++i) {
    MlirOp &row = rows[i];
    const LocationInfo &info = index.getLocation(i);
    row.op = index.getOpName(i);
    row.parent = index[i].parent;
    row.location = describeLocation(index.getLocations(), info);
    if (!index.getTraits(i).isFunction)
      row.path = resolver.getPath(i, style);
    const Frame &frame = info.getUserFrame();
    row.file = frame.file;
    row.line = frame.line;
  }
  return rows;
}
