//===- FrameworkOp.cpp - Names of TensorFlow's events ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameworkOp.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;

static bool isNode(llvm::StringRef text) {
  return !text.empty() && (llvm::isAlnum(text[0]) || text[0] == '.') &&
         llvm::all_of(text, [](char c) {
           return llvm::isAlnum(c) || llvm::StringRef("_.\\/>-").contains(c);
         });
}

static bool isType(llvm::StringRef text) {
  return !text.empty() &&
         ((text[0] >= 'A' && text[0] <= 'Z') || text[0] == '_') &&
         llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

std::optional<std::pair<llvm::StringRef, llvm::StringRef>>
xplane::splitFrameworkOp(llvm::StringRef eventName) {
  if (eventName.ends_with("#"))
    eventName = eventName.split('#').first;
  auto [node, type] = eventName.split(':');
  // XLA's runtime runs a callback; the type is its purpose.
  if (node == "ThenExecuteCallback")
    return std::nullopt;
  if (!isNode(node) || !isType(type))
    return std::nullopt;
  return std::make_pair(node, type);
}
