//===- CheckChoices.cpp - Checking that choices can be followed -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass ignores a choice that it cannot read, so the author of a handwritten
// choice would not notice a misspelled technique: nothing changes. A choice
// that is valid in itself but does not fit the op (a convolution algorithm on a
// sum) is left to the pass responsible for it.
//
//===----------------------------------------------------------------------===//

#include "../Marks.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_CHECKCHOICESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

/// The valid values of a parameter: one of `names`, or if that is empty, a
/// number from `least` to `most`.
struct Parameter {
  StringRef technique, name;
  SmallVector<StringRef, 4> names;
  int64_t least = 0, most = 0;

  bool has(StringRef value) const {
    int64_t number = 0;
    if (!names.empty())
      return llvm::is_contained(names, value);
    return !value.getAsInteger(10, number) && number >= least && number <= most;
  }
  std::string describeValues() const {
    if (names.empty())
      return (Twine("a number from ") + Twine(least) + " to " + Twine(most))
          .str();
    return "one of \"" + llvm::join(names, "\", \"") + "\"";
  }
};

} // namespace

static ArrayRef<Parameter> getParameters() {
  using namespace choice;
  static const Parameter all[] = {
      {kAlgorithm, "name", {"direct", "product", "winograd2", "winograd4"}},
      {kBranches, "always", {"true", "false"}},
      {kBranches, "not-taken", {}, 0, kMostCounts},
      {kBranches, "taken", {}, 0, kMostCounts},
      {kBranches, "trips", {}, 0, kMostCounts},
      {kCode, "for", {"size"}},
      {kFusion, "with", {"all", "none"}},
      {kThreads, "count", {}, 1, kMostThreads},
      {kTiles, "rows", {}, 1, kMostTileRows},
      {kTiles, "vectors", {}, 1, kMostTileVectors}};
  return all;
}

/// Lists techniques, or the parameters of `technique` if it is not empty.
static std::string listNames(StringRef technique) {
  SmallVector<StringRef> names;
  for (const Parameter &known : getParameters())
    if (technique.empty() && !llvm::is_contained(names, known.technique))
      names.push_back(known.technique);
    else if (known.technique == technique)
      names.push_back(known.name);
  if (technique.empty())
    names.push_back(choice::kVersions);
  return llvm::join(names, ", ");
}

/// Emits a warning at the user's location, without the parts that identities
/// add.
static InFlightDiagnostic warn(Operation *op) {
  Location location = op->getLoc();
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    location = file;
  return emitWarning(location) << kChoiceAttribute << " is not followed: ";
}

static void checkParameter(Operation *op, StringRef technique,
                           NamedAttribute entry) {
  StringRef name = entry.getName().getValue();
  const Parameter *known =
      llvm::find_if(getParameters(), [&](const Parameter &parameter) {
        return parameter.technique == technique && parameter.name == name;
      });
  if (known == getParameters().end()) {
    warn(op) << "technique '" << technique << "' does not have a parameter '"
             << name << "'; its parameters are " << listNames(technique);
    return;
  }
  auto value = dyn_cast<StringAttr>(entry.getValue());
  if (!value)
    warn(op) << "'" << name << "' of technique '" << technique << "' is "
             << entry.getValue() << ", not a string; expected "
             << known->describeValues();
  else if (!known->has(value.getValue()))
    warn(op) << "'" << name << "' of technique '" << technique << "' is \""
             << value.getValue() << "\"; expected " << known->describeValues();
}

static void checkTechnique(Operation *op, NamedAttribute entry) {
  StringRef name = entry.getName().getValue();
  auto parameters = dyn_cast<DictionaryAttr>(entry.getValue());
  bool isKnown = name == choice::kVersions ||
                 llvm::any_of(getParameters(), [&](const Parameter &known) {
                   return known.technique == name;
                 });
  if (!isKnown)
    warn(op) << "unknown technique '" << name << "'; known techniques are "
             << listNames("");
  else if (!parameters)
    warn(op) << "technique '" << name << "' needs a dictionary of parameters";
  else if (name != choice::kVersions) // The versions pass says more.
    for (NamedAttribute parameter : parameters)
      checkParameter(op, name, parameter);
}

static void checkChoices(Operation *op) {
  Attribute attribute = op->getDiscardableAttr(kChoiceAttribute);
  if (!attribute)
    return;
  auto choices = dyn_cast<DictionaryAttr>(attribute);
  if (!choices) {
    warn(op) << "it is not a dictionary of techniques; known techniques are "
             << listNames("");
    return;
  }
  for (NamedAttribute technique : choices)
    checkTechnique(op, technique);
}

namespace {

struct CheckChoicesPass
    : mlirprof::codegen::impl::CheckChoicesPassBase<CheckChoicesPass> {
  using CheckChoicesPassBase::CheckChoicesPassBase;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      checkChoices(op);
      // Marks that came with the model are not a proof.
      removeSizeMarks(op);
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
