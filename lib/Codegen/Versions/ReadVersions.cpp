//===- ReadVersions.cpp - Reading a versions choice -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Versions.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::transforms;

/// Each version is a copy of the code.
static constexpr size_t kMostVersions = 16;

namespace {
/// A version as far as it has been read.
struct Reading {
  Version version;
  /// Why the version does not apply; empty if it does.
  std::string problem;
};
} // namespace

static std::string checkDimension(Type type, unsigned dimension,
                                  int64_t number) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!isa<RankedTensorType, MemRefType>(type) || dimension >= shaped.getRank())
    return "there is no such dimension";
  if (number < 0)
    return "a size cannot be negative";
  if (!shaped.isDynamicDim(dimension))
    return shaped.getDimSize(dimension) == number
               ? ""
               : "that dimension has another size";
  auto memref = dyn_cast<MemRefType>(type);
  if (memref && !memref.getLayout().isIdentity())
    return "buffers with a layout cannot have versions";
  return "";
}

static std::string checkNumber(func::FuncOp function, const EntryValue &value,
                               int64_t number) {
  if (!llvm::is_contained(getEntryNumbers(function), value))
    return "that argument is not a single integer";
  Type type = function.getArgument(value.argument).getType();
  // Memory contents may change while the function runs.
  if (isa<MemRefType>(type))
    return "that argument is a buffer";
  Type element = getElementTypeOrSelf(type);
  bool fits = element.isIndex() ||
              (element.isInteger(1)
                   ? number == 0 || number == 1
                   : llvm::isIntN(element.getIntOrFloatBitWidth(), number));
  return fits ? "" : "that argument cannot have this value";
}

/// Adds a condition to `reading`, unless it always holds.
static void addCondition(func::FuncOp function, const VersionCondition &added,
                         Reading &reading) {
  const EntryValue &value = added.value;
  if (value.argument >= function.getNumArguments()) {
    reading.problem = "there is no such argument";
    return;
  }
  for (const VersionCondition &other : reading.version)
    if (other.value == value) {
      reading.problem = value.getText() + " is given twice";
      return;
    }
  Type type = function.getArgument(value.argument).getType();
  reading.problem = value.dimension
                        ? checkDimension(type, *value.dimension, added.number)
                        : checkNumber(function, value, added.number);
  bool holds = value.dimension && reading.problem.empty() &&
               !cast<ShapedType>(type).isDynamicDim(*value.dimension);
  if (reading.problem.empty() && !holds)
    reading.version.push_back(added);
}

static Reading readVersion(func::FuncOp function, StringRef text) {
  Reading reading;
  SmallVector<StringRef> parts;
  llvm::SplitString(text, parts);
  for (StringRef part : parts) {
    auto [name, number] = part.split('=');
    VersionCondition condition;
    std::optional<EntryValue> value = parseEntryValue(name);
    if (!value || number.getAsInteger(10, condition.number)) {
      reading.problem = ("'" + part + "' is not a condition").str();
      return reading;
    }
    condition.value = *value;
    addCondition(function, condition, reading);
    if (!reading.problem.empty())
      return reading;
  }
  if (reading.version.empty())
    reading.problem = "its conditions always hold";
  return reading;
}

static bool isSame(const Version &a, const Version &b) {
  return llvm::equal(a, b, [](const auto &x, const auto &y) {
    return x.value == y.value && x.number == y.number;
  });
}

std::vector<Version> codegen::readVersions(func::FuncOp function) {
  std::vector<Version> versions;
  auto choices = dyn_cast_or_null<DictionaryAttr>(
      function->getDiscardableAttr(kChoiceAttribute));
  auto texts = choices ? choices.getAs<DictionaryAttr>(choice::kVersions)
                       : DictionaryAttr();
  if (!texts)
    return versions;
  auto leaveOut = [&](const Twine &name, const Twine &why) {
    emitWarning(function.getLoc())
        << "version " << name.str() << " of '" << function.getSymName()
        << "' is left out: " << why.str();
  };
  // The dictionary is sorted as text: 10 before 2.
  std::map<uint64_t, StringAttr> ordered;
  for (NamedAttribute entry : texts) {
    uint64_t number = 0;
    auto text = dyn_cast<StringAttr>(entry.getValue());
    if (!text || entry.getName().getValue().getAsInteger(10, number))
      leaveOut(entry.getName().getValue(),
               "it is not a string whose name is a number");
    else
      ordered[number] = text;
  }
  for (const auto &[number, text] : ordered) {
    Reading reading = readVersion(function, text.getValue());
    bool isKnown = llvm::any_of(versions, [&](const Version &other) {
      return isSame(other, reading.version);
    });
    if (reading.problem.empty() && isKnown)
      reading.problem = "another version is for the same calls";
    if (reading.problem.empty() && versions.size() == kMostVersions)
      reading.problem = "there are too many versions";
    if (reading.problem.empty())
      versions.push_back(std::move(reading.version));
    else
      leaveOut(Twine(number), reading.problem);
  }
  return versions;
}
