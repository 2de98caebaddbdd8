//===- OpRows.cpp - Descriptions of a module's ops ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpRows.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;

std::vector<MlirOp> match::describeOps(const ModuleIndex &index,
                                       PathResolver &resolver,
                                       PathStyle style) {
  std::vector<MlirOp> rows(index.size());
  for (uint32_t i = 0; i < index.size(); ++i) {
    MlirOp &row = rows[i];
    const LocationInfo &info = index.getLocation(i);
    row.op = index.getOpName(i);
    row.parent = index[i].parent;
    row.location = index.getLocations().describe(info);
    if (!index.getTraits(i).isFunction)
      row.path = resolver.getPath(i, style);
    const Frame &frame = info.getUserFrame();
    row.file = frame.file;
    row.line = frame.line;
  }
  return rows;
}
