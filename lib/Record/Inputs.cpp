//===- Inputs.cpp - Inputs of a model's runs ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Machine.h"
#include "mlir-prof/Support/Npy.h"
#include "mlir-prof/Support/RandomTensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

/// More is a typing error rather than a model's input.
static constexpr uint64_t kMaxBytes = uint64_t(1) << 36;

/// Splits "NAME=VALUE"; the name is empty without one.
static std::pair<llvm::StringRef, llvm::StringRef>
splitName(llvm::StringRef text) {
  auto [name, value] = text.split('=');
  if (!text.contains('='))
    return {"", text};
  // "%x", as the module writes it.
  (void)name.consume_front("%");
  return {name, value};
}

static llvm::Expected<InputSpec> parseRandom(llvm::StringRef text,
                                             InputSpec spec) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ':');
  bool bad = parts.size() == 3 || parts.size() > 4;
  if (!bad && parts.size() > 1)
    bad = parts[1].getAsInteger(10, spec.seed);
  double low = 0, high = 0;
  if (!bad && parts.size() == 4) {
    bad = parts[2].getAsDouble(low) || parts[3].getAsDouble(high) ||
          !std::isfinite(low) || !std::isfinite(high) || low > high;
    spec.range = {low, high};
  }
  if (bad)
    return inputError("--input", "does not understand '" + text + "'",
                      "Write random, random:SEED or random:SEED:LOW:HIGH.");
  return std::move(spec);
}

llvm::Expected<InputSpec> record::parseInputSpec(llvm::StringRef text) {
  auto [name, value] = splitName(text);
  InputSpec spec;
  spec.argument = name.str();
  if (value.empty())
    return inputError("--input", "does not have a value in '" + text + "'",
                      "Write NAME=random:SEED, NAME=zeros or NAME=FILE.npy.");
  if (value == "random" || value.starts_with("random:"))
    return parseRandom(value, std::move(spec));
  spec.kind = value == "zeros" ? InputKind::Zeros : InputKind::File;
  spec.path = value.str();
  return std::move(spec);
}

llvm::Expected<ShapeSpec> record::parseShapeSpec(llvm::StringRef text) {
  auto [name, value] = splitName(text);
  ShapeSpec spec;
  spec.argument = name.str();
  llvm::SmallVector<llvm::StringRef> shapes;
  value.split(shapes, ',');
  for (llvm::StringRef shape : shapes) {
    std::vector<int64_t> dimensions;
    llvm::SmallVector<llvm::StringRef> parts;
    shape.split(parts, 'x');
    for (llvm::StringRef part : parts) {
      int64_t dimension = 0;
      if (part.getAsInteger(10, dimension) || dimension < 0)
        return inputError("--shape", "does not understand '" + shape + "'",
                          "Write NAME=8x1024, or NAME=1x1024,8x1024 for "
                          "several shapes in turn.");
      dimensions.push_back(dimension);
    }
    spec.shapes.push_back(std::move(dimensions));
  }
  return std::move(spec);
}

std::string record::describeType(const ValueSignature &value) {
  if (value.isScalar)
    return value.elementType;
  std::string text = "tensor<";
  for (int64_t dimension : value.shape)
    text += (dimension < 0 ? "?" : std::to_string(dimension)) + "x";
  return text + value.elementType + ">";
}

/// "arg0 tensor<?x4xf32>, ...".
static std::string describeArguments(const Signature &signature) {
  std::string text;
  for (const ValueSignature &value : signature.arguments)
    text += (text.empty() ? "" : ", ") + value.name + " " + describeType(value);
  return text.empty() ? "none" : text;
}

/// Position of the argument `name`, given by name or number; without a name, of
/// the first one that `taken` lacks.
static llvm::Expected<size_t> findArgument(const Signature &signature,
                                           llvm::StringRef option,
                                           llvm::StringRef name,
                                           const std::vector<bool> &taken) {
  size_t count = signature.arguments.size(), position = count;
  if (name.empty()) {
    position = llvm::find(taken, false) - taken.begin();
  } else if (name.getAsInteger(10, position)) {
    position = llvm::find_if(signature.arguments,
                             [&](const ValueSignature &value) {
                               return value.name == name;
                             }) -
               signature.arguments.begin();
  }
  std::string hint = "The arguments are: " + describeArguments(signature) + ".";
  if (position >= count)
    return inputError(option,
                      name.empty() ? llvm::Twine("names more arguments than "
                                                 "the model has")
                                   : "the model does not have an argument '" +
                                         name + "'",
                      hint);
  if (taken[position])
    return inputError(option,
                      "argument '" + signature.arguments[position].name +
                          "' is given twice",
                      hint);
  return position;
}

namespace {
/// The command line's facts about one argument.
struct ArgumentPlan {
  const InputSpec *input = nullptr;
  const ShapeSpec *shape = nullptr;
  std::optional<HostTensor> file;
};
} // namespace

/// The shape of argument `value` in request number `request`.
static llvm::Expected<std::vector<int64_t>>
getShape(const ValueSignature &value, const ArgumentPlan &plan,
         size_t request) {
  std::vector<int64_t> given = value.shape;
  llvm::StringRef source = "--input";
  if (plan.file)
    given = plan.file->shape;
  if (plan.shape) {
    source = "--shape";
    given = plan.shape->shapes[request % plan.shape->shapes.size()];
    if (plan.file && given != plan.file->shape)
      return inputError(plan.input->path,
                        "does not have the shape that --shape gives");
  }
  bool fits = given.size() == value.shape.size();
  for (size_t d = 0; fits && d < given.size(); ++d)
    fits = value.shape[d] < 0 || value.shape[d] == given[d];
  if (!fits) {
    std::string text;
    for (int64_t dimension : given)
      text += (text.empty() ? "" : "x") + std::to_string(dimension);
    return inputError(plan.file ? llvm::StringRef(plan.input->path) : source,
                      "shape " + text + " does not fit argument '" +
                          value.name + "' of type " + describeType(value));
  }
  if (llvm::any_of(given, [](int64_t dimension) { return dimension < 0; }))
    return inputError("argument '" + value.name + "'",
                      "has dynamic dimensions in " + describeType(value),
                      "Give their sizes with --shape=" + value.name +
                          "=DIMxDIM.");
  return std::move(given);
}

/// Bytes of an array of that shape; a dynamic dimension counts as one.
static uint64_t countBytes(const ValueSignature &value,
                           llvm::ArrayRef<int64_t> shape) {
  uint64_t bytes = value.bytesPerElement;
  for (int64_t dimension : shape)
    bytes = llvm::SaturatingMultiply(
        bytes, dimension < 0 ? uint64_t(1) : uint64_t(dimension));
  return bytes;
}

/// In MiB, rounded up.
static std::string formatMiB(uint64_t bytes) {
  constexpr uint64_t kMiB = uint64_t(1) << 20;
  return std::to_string(bytes / kMiB + (bytes % kMiB != 0)) + " MiB";
}

/// Whether arguments and results fit into memory: this process holds the
/// arguments of all requests, and the model's has copies of them and results.
static llvm::Error checkMemory(const Signature &signature,
                               llvm::ArrayRef<ArgumentPlan> plans,
                               size_t requests, uint64_t memory) {
  uint64_t arguments = 0, results = 0, largest = 0;
  size_t largestAt = 0;
  for (size_t request = 0; request != requests; ++request)
    for (auto [i, value] : llvm::enumerate(signature.arguments)) {
      auto shape = getShape(value, plans[i], request);
      if (!shape)
        return shape.takeError();
      uint64_t bytes = countBytes(value, *shape);
      if (bytes > kMaxBytes)
        return inputError("argument '" + value.name + "'",
                          "would take " + llvm::Twine(bytes) + " bytes",
                          "Give smaller dimensions with --shape.");
      arguments = llvm::SaturatingAdd(arguments, bytes);
      if (bytes > largest)
        largest = bytes, largestAt = i;
    }
  for (const ValueSignature &value : signature.results)
    results = llvm::SaturatingAdd(results, countBytes(value, value.shape));
  results = llvm::SaturatingMultiply(results, uint64_t(requests));
  std::string what = "arguments";
  if (largest)
    what = "argument '" + signature.arguments[largestAt].name + "'";
  std::string hint =
      "Give smaller dimensions with --shape where they are dynamic";
  uint64_t ofModel = llvm::SaturatingAdd(arguments, results);
  if (memory && ofModel > memory)
    return inputError(what,
                      "arguments of " + formatMiB(arguments) +
                          " and results of " + formatMiB(results) +
                          " do not fit into the " + formatMiB(memory) +
                          " that the model may use",
                      hint + ", or raise --max-memory.");
  uint64_t available = getAvailableMemory();
  uint64_t all = llvm::SaturatingAdd(arguments, ofModel);
  if (all > available)
    return inputError(what,
                      "arguments of " + formatMiB(arguments) +
                          ", their copies in the model's process and results "
                          "of " +
                          formatMiB(results) + " do not fit into the " +
                          formatMiB(available) + " of available memory",
                      hint + ", or use a machine with more memory.");
  return llvm::Error::success();
}

static llvm::Expected<HostTensor> makeArgument(const ValueSignature &value,
                                               const ArgumentPlan &plan,
                                               size_t position,
                                               size_t request) {
  auto shape = getShape(value, plan, request);
  if (!shape)
    return shape.takeError();
  if (plan.file)
    return *plan.file;
  HostTensor tensor;
  tensor.elementType = value.elementType;
  tensor.bytesPerElement = value.bytesPerElement;
  tensor.shape = std::move(*shape);
  tensor.bytes.assign(countBytes(value, tensor.shape), 0);
  if (!plan.input || plan.input->kind == InputKind::Random)
    fillRandom(tensor, position, plan.input ? plan.input->seed : 0,
               plan.input ? plan.input->range : std::nullopt);
  return std::move(tensor);
}

/// Reads the file that `plan` names and checks its element type.
static llvm::Error loadFile(const ValueSignature &value, ArgumentPlan &plan) {
  auto buffer = openInput(plan.input->path);
  if (!buffer)
    return buffer.takeError();
  auto tensor = unlessChanged(
      **buffer, readNpy((*buffer)->getBuffer(), plan.input->path));
  if (!tensor)
    return tensor.takeError();
  // MLIR's signless integers accept both, and an index has 64 bits.
  llvm::StringRef type = tensor->elementType;
  bool same =
      type == value.elementType ||
      (type.starts_with("ui") && type.drop_front() == value.elementType) ||
      (value.elementType == "index" && (type == "i64" || type == "ui64"));
  if (!same)
    return inputError(plan.input->path,
                      "holds " + type + " where argument '" + value.name +
                          "' is " + describeType(value),
                      value.elementType == "bf16"
                          ? "Save it with that element type, which numpy has "
                            "with the package ml_dtypes (a |V2 in the file)."
                          : "Save it with that element type.");
  tensor->elementType = value.elementType;
  plan.file = std::move(*tensor);
  return llvm::Error::success();
}

llvm::Expected<std::vector<Arguments>>
record::makeArguments(const Signature &signature,
                      llvm::ArrayRef<InputSpec> inputs,
                      llvm::ArrayRef<ShapeSpec> shapes, uint64_t memory) {
  size_t count = signature.arguments.size();
  std::vector<ArgumentPlan> plans(count);
  std::vector<bool> taken(count);
  // Those with names come first, so that the others fill the gaps.
  for (bool named : {true, false})
    for (const InputSpec &input : inputs) {
      if (input.argument.empty() == named)
        continue;
      auto at = findArgument(signature, "--input", input.argument, taken);
      if (!at)
        return at.takeError();
      taken[*at] = true;
      plans[*at].input = &input;
      if (input.kind == InputKind::File)
        if (llvm::Error error = loadFile(signature.arguments[*at], plans[*at]))
          return std::move(error);
    }
  taken.assign(count, false);
  size_t requests = 1;
  for (bool named : {true, false})
    for (const ShapeSpec &shape : shapes) {
      if (shape.argument.empty() == named)
        continue;
      auto at = findArgument(signature, "--shape", shape.argument, taken);
      if (!at)
        return at.takeError();
      taken[*at] = true;
      plans[*at].shape = &shape;
      requests = std::max(requests, shape.shapes.size());
    }

  if (llvm::Error error = checkMemory(signature, plans, requests, memory))
    return std::move(error);
  std::vector<Arguments> result(requests);
  for (size_t request = 0; request < requests; ++request)
    for (size_t i = 0; i < count; ++i) {
      auto tensor = makeArgument(signature.arguments[i], plans[i], i, request);
      if (!tensor)
        return tensor.takeError();
      result[request].push_back(std::move(*tensor));
    }
  return std::move(result);
}

std::vector<llvm::ArrayRef<int64_t>>
record::getShapes(const Arguments &request) {
  std::vector<llvm::ArrayRef<int64_t>> shapes;
  for (const HostTensor &tensor : request)
    shapes.push_back(tensor.shape);
  return shapes;
}

std::string record::describeShapes(const Arguments &request) {
  std::vector<std::string> texts;
  for (llvm::ArrayRef<int64_t> shape : getShapes(request))
    if (!shape.empty())
      texts.push_back(llvm::join(
          llvm::map_range(shape, [](int64_t n) { return std::to_string(n); }),
          "x"));
  return llvm::join(texts, ", ");
}
