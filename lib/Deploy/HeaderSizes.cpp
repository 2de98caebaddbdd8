//===- HeaderSizes.cpp - Sizes in the header of a model -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeaderSizes.h"
#include "HeaderChecks.h"
#include "Regions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::deploy;

/// The arguments, or the results.
static ArrayRef<ValueSignature> getValues(const Signature &signature,
                                          bool areResults) {
  return areResults ? signature.results : signature.arguments;
}

/// "4x8xf32", or "1..4x8xf32" if calls choose a size.
static std::string describeShape(const DeployedModel &model, size_t number,
                                 bool isResult) {
  const ValueSignature &most = getValues(model.signature, isResult)[number];
  const ValueSignature &least =
      model.sizedCode.empty()
          ? most
          : getValues(model.sizedCode.front().signature, isResult)[number];
  std::string text;
  for (auto [from, to] : zip_equal(least.shape, most.shape))
    text += (from == to ? std::to_string(to)
                        : std::to_string(from) + ".." + std::to_string(to)) +
            "x";
  return text + most.elementType;
}

/// Says which sizes calls choose.
static void writeChoices(const DeployedModel &model, StringRef upper,
                         raw_ostream &os) {
  os << formatv("/* Sizes that a call chooses. Bytes of arguments and results "
                "are the most. */\n#define {0}_SIZE_COUNT {1}\n",
                upper, model.sizes.size());
  for (auto [index, range] : enumerate(model.sizes))
    os << formatv("#define {0}_SIZE{1}_LEAST {2}\n"
                  "#define {0}_SIZE{1}_MOST {3}\n",
                  upper, index, range.least, range.most);
}

std::string deploy::defineBytes(const DeployedModel &model) {
  std::string text;
  raw_string_ostream os(text);
  size_t count =
      model.signature.arguments.size() + model.signature.results.size();
  os << formatv("/* The bytes of the arguments and of the results for the "
                "sizes of a call; null if the\n   model does not take these. "
                "*/\nstatic inline const size_t *{0}_bytes(const int64_t "
                "*sizes) {{\n  static const size_t bytes[{1}][{2}] = {{\n",
                model.name, model.sizedCode.size(), std::max<size_t>(count, 1));
  for (const SizedCode &code : model.sizedCode) {
    os << "      {";
    for (bool areResults : {false, true})
      for (const ValueSignature &value : getValues(code.signature, areResults))
        os << getBytes(value) << ", ";
    os << "},\n";
  }
  os << "  };\n  size_t index = 0;\n";
  for (auto [index, range] : enumerate(model.sizes))
    os << formatv("  if (sizes[{0}] < {1} || sizes[{0}] > {2})\n    return "
                  "0;\n  index = index * {3} + (size_t)(sizes[{0}] - {1});\n",
                  index, range.least, range.most, range.most - range.least + 1);
  os << "  return bytes[index];\n}\n\n";
  return text;
}

std::string deploy::defineSizes(const DeployedModel &model) {
  std::string text, upper = StringRef(model.name).upper();
  raw_string_ostream os(text);
  os << formatv(
      "/* Memory that a call needs, without arguments and results, and its "
      "alignment.\n   Its contents need not last from one call to the next. "
      "*/\n"
      "#define {0}_ARENA_BYTES {1}\n#define {0}_ARENA_ALIGNMENT {2}\n",
      upper, model.arenaBytes, kArenaAlignment);
  if (!model.sizes.empty())
    writeChoices(model, upper, os);
  auto define = [&](StringRef kind, bool areResults) {
    ArrayRef<ValueSignature> values = getValues(model.signature, areResults);
    os << formatv("#define {0}_{1}_COUNT {2}\n", upper, kind, values.size());
    for (auto [index, value] : enumerate(values))
      os << formatv("/* {0}: {1} */\n#define {2}_{3}{4}_BYTES {5}\n",
                    value.name, describeShape(model, index, areResults), upper,
                    kind, index, getBytes(value));
  };
  define("ARGUMENT", false);
  define("RESULT", true);
  if (!model.firstState.empty())
    os << formatv(
        "/* Memory of an instance of the model, which keeps its variables from "
        "one call to\n   the next: {0}_reset begins anew. */\n"
        "#define {1}_STATE_BYTES {2}\n#define {1}_STATE_ALIGNMENT {3}\n",
        model.name, upper, model.firstState.size(), kArenaAlignment);
  os << '\n' << declareRegions(model);
  return text;
}

std::string deploy::declareBuffers(const DeployedModel &model) {
  std::string text;
  raw_string_ostream os(text);
  os << formatv("/* The memory of a call, in the order of the function that "
                "runs the model. */\nstatic const prof_buffer {0}_buffers[] = "
                "{{\n",
                model.name);
  auto write = [&](StringRef name, uint64_t bytes, unsigned alignment,
                   StringRef permissions) {
    os << formatv("    {{\"{0}\", {1}, {2}, PROF_MEMORY_HOST, {3}},\n", name,
                  bytes, alignment, permissions);
  };
  constexpr StringRef both = "PROF_MEMORY_READ | PROF_MEMORY_WRITE";
  auto writeAll = [&](StringRef kind, ArrayRef<ValueSignature> values,
                      StringRef permissions) {
    for (auto [index, value] : enumerate(values))
      write(formatv("{0}{1}", kind, index).str(), getBytes(value),
            getElementType(value).alignment,
            value.isWritten ? both : permissions);
  };
  writeAll("argument", model.signature.arguments, "PROF_MEMORY_READ");
  writeAll("result", model.signature.results, both);
  if (!model.firstState.empty())
    write("state", model.firstState.size(), kArenaAlignment, both);
  write("arena", model.arenaBytes, kArenaAlignment, both);
  os << "};\n\n";
  return text;
}
