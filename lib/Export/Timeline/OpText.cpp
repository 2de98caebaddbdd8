//===- OpText.cpp - Descriptions of measured ops --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpText.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/OpNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::report;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Further owners are counted rather than named.
static constexpr size_t kMaxOwners = 4;

std::string exporter::describeOwners(const Ownership &ownership,
                                     llvm::ArrayRef<uint32_t> owners) {
  llvm::SmallVector<std::string> names;
  for (uint32_t owner : owners.take_front(kMaxOwners))
    names.push_back(describeOp(ownership.ops[owner]));
  if (owners.size() > kMaxOwners)
    names.push_back(llvm::utostr(owners.size() - kMaxOwners) + " more");
  return llvm::join(names, "; ");
}

std::vector<std::pair<llvm::StringRef, std::string>>
OpText::describe(uint32_t op) const {
  std::vector<std::pair<llvm::StringRef, std::string>> texts;
  const OpKey &key = input.profile.opKeys[op];
  auto add = [&](llvm::StringRef name, llvm::StringRef value) {
    if (!value.empty())
      texts.emplace_back(name, value.str());
  };
  add("op", key.op);
  add("kernel", key.kernel);
  KeyTraits traits = getKeyTraits(key);
  add("module", traits.module.value_or(""));
  if (traits.programId)
    add("program_id", std::to_string(*traits.programId));
  add("scope", getKeyScope(key));
  if (traits.shapes)
    add("shapes", traits.shapes->print());
  if (!input.ownership)
    return texts;
  const Match &match = input.ownership->matches[op];
  add("match", toString(match.matchClass));
  if (match.ops.empty())
    add("no owner because", match.reason);
  else
    add("mlir", describeOwners(*input.ownership, match.ops));
  return texts;
}
