//===- Call.cpp - Calls of TVM operators ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tvm.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::tvm;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

OpKey tvm::makeOpKey(const Call &call) {
  FrameworkCallKey details;
  details.shapes = InputShapes::parse(call.shapes);
  return OpKey(call.name, call.device, std::move(details));
}

std::string tvm::parseArgumentShapes(llvm::StringRef text) {
  std::string shapes;
  text = text.trim();
  while (!text.empty()) {
    size_t end = text.find_first_of("[,");
    bool hasDimensions = end != llvm::StringRef::npos && text[end] == '[';
    shapes += shapes.empty() ? "[" : ",";
    shapes += '[';
    if (hasDimensions) {
      size_t close = text.find(']', end);
      if (close == llvm::StringRef::npos)
        return "";
      for (char c : text.slice(end + 1, close))
        if (c != ' ')
          shapes += c;
      end = text.find(',', close);
    }
    shapes += ']';
    text = end == llvm::StringRef::npos ? "" : text.substr(end + 1).ltrim();
  }
  return shapes.empty() ? shapes : shapes + "]";
}

bool tvm::addCall(table::Totals &totals, Call call, llvm::StringRef count,
                  llvm::StringRef microseconds) {
  if ((!count.empty() && !table::parseCount(count, call.count)) ||
      !table::parseDuration(microseconds, json::DecimalUnit::Microseconds,
                            call.durationPs))
    return false;
  totals.add(makeOpKey(call),
             table::makeEvenSummary(call.count, call.durationPs));
  return true;
}
