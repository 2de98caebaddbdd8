//===- NamedKey.cpp - Events named as ops ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NamedKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// The NODE and Type of "NODE:Type"; the latter is empty if `name` does not
/// have a type: the name of an op, with or without its dialect.
static std::pair<llvm::StringRef, llvm::StringRef>
splitType(llvm::StringRef name) {
  auto [node, type] = name.rsplit(':');
  bool isType = !type.empty() && (llvm::isAlpha(type[0]) || type[0] == '_') &&
                llvm::all_of(type, [](char c) {
                  return llvm::isAlnum(c) || c == '_' || c == '.';
                });
  if (!isType || node.empty() || node.ends_with(":"))
    return {name, ""};
  return {node, type};
}

OpKey importer::makeNamedKey(llvm::StringRef name, llvm::StringRef location,
                             llvm::StringRef op) {
  OpKey key;
  auto &details = key.make<GraphNodeKey>();
  if (location.empty() && op.empty()) {
    auto [node, type] = splitType(name);
    key.op = node.str();
    key.kernel = type.str();
    return key;
  }
  key.op = (location.empty() ? name : location).str();
  key.kernel = op.str();
  if (!location.empty() && location != name)
    details.eventName = name.str();
  return key;
}
