//===- Suggestions.cpp - Names that were nearly written -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Suggestions.h"
#include "Options.h"
#include "Verbs.h"

#include <string>
#include <vector>

using namespace mlirprof;
using namespace llvm::opt;

/// "; did you mean 'top'?" with the name nearest to `wanted`; "" if all differ
/// in more than a third of its letters.
static std::string suggest(llvm::StringRef wanted,
                           llvm::ArrayRef<std::string> names) {
  llvm::StringRef letters = wanted.ltrim('-');
  unsigned least = unsigned(letters.size() / 3) + 1;
  llvm::StringRef nearest;
  for (llvm::StringRef name : names) {
    unsigned distance = letters.edit_distance(
        name.ltrim('-'), /*AllowReplacements=*/true, /*MaxEditDistance=*/least);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest.empty() ? "" : ("; did you mean '" + nearest + "'?").str();
}

llvm::Error mlirprof::unknownOption(llvm::StringRef verb,
                                    llvm::StringRef text) {
  const OptTable &table = getOptTable();
  std::vector<std::string> names;
  for (unsigned id = 1; id <= table.getNumOptions(); ++id)
    if (Option option = table.getOption(id); option.isRegisteredSC(verb))
      names.push_back(
          llvm::StringRef(option.getPrefixedName()).rtrim('=').str());
  return usageError("mlir-prof " + verb + " does not have an option '" + text +
                    "'" + suggest(text.split('=').first, names));
}

llvm::Error mlirprof::unknownVerb(llvm::StringRef name) {
  std::vector<std::string> names;
  for (const Verb &verb : getVerbs())
    names.push_back(verb.name.str());
  return usageError("there is no verb '" + name + "'" + suggest(name, names));
}
