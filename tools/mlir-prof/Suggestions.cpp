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
#include "mlir-prof/Support/Suggest.h"

#include <string>
#include <vector>

using namespace mlirprof;
using namespace llvm::opt;

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
