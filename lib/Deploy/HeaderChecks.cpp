//===- HeaderChecks.cpp - The checks in the header of a model -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeaderChecks.h"
#include "../../runtime/target/Variants.h"
#include "Plan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::deploy;

ElementType deploy::getElementType(const ValueSignature &value) {
  StringRef name = StringSwitch<StringRef>(value.elementType)
                       .Cases({"i8", "si8"}, "int8_t")
                       .Cases({"ui8", "i1"}, "uint8_t")
                       .Cases({"i16", "si16"}, "int16_t")
                       .Case("ui16", "uint16_t")
                       .Cases({"i32", "si32"}, "int32_t")
                       .Case("ui32", "uint32_t")
                       .Cases({"i64", "si64"}, "int64_t")
                       .Case("ui64", "uint64_t")
                       .Case("f32", "float")
                       .Case("f64", "double")
                       .Case("index", "intptr_t")
                       .Default("void");
  // A complex number is aligned as its parts.
  bool isPair = StringRef(value.elementType).starts_with("complex");
  return {name, value.bytesPerElement / (isPair ? 2 : 1)};
}

uint64_t deploy::getBytes(const ValueSignature &value) {
  uint64_t bytes = value.bytesPerElement;
  for (int64_t size : value.shape)
    bytes *= uint64_t(size);
  return bytes;
}

namespace {
/// A code of the function that runs a model.
struct Code {
  StringRef name;
  int number;
  StringRef text;
};
} // namespace

static constexpr Code kDeviceFailed = {"DEVICE_FAILED", 6,
                                       "a device is not open, or has failed"};

static constexpr Code kCodes[] = {
    {"OK", 0, "success"},
    {"NULL_POINTER", 1,
     "the address of an argument, a result or the arena is null"},
    {"MISALIGNED", 2,
     "an address is not a multiple of the alignment that it needs"},
    {"SHORT_ARENA", 3, "the arena is too small"},
    {"OVERLAP", 4,
     "memory that the model writes overlaps other memory of the call"},
    {"BAD_PROGRAM", 5, "the model is damaged, or not that of this header"},
    {"WRONG_SIZE", 7,
     "the memory of a call has another number or size than the model's"},
    {"READ_ONLY", 8, "memory that the model writes may only be read"}};

static constexpr Code kWrongProcessor = {
    "WRONG_PROCESSOR", PROF_VARIANT_WRONG_PROCESSOR,
    "the package does not have code for this processor"};

static constexpr Code kOutOfRange = {
    "OUT_OF_RANGE", 10, "a size is not in the range that the model takes"};

std::string deploy::writeCodes(const DeployedModel &model) {
  SmallVector<Code> codes(std::begin(kCodes), std::end(kCodes));
  if (!model.variants.empty())
    codes.push_back(kWrongProcessor);
  if (!model.sizes.empty())
    codes.push_back(kOutOfRange);
  if (!model.devices.empty())
    codes.insert(codes.begin() + kDeviceFailed.number, kDeviceFailed);
  std::string text, upper = StringRef(model.name).upper();
  raw_string_ostream os(text);
  os << formatv("/* What {0}_run returns. */\nenum {{\n", model.name);
  for (const Code &code : codes)
    os << formatv("  {0}_{1} = {2}{3}\n", upper, code.name, code.number,
                  code.name == codes.back().name ? "" : ",");
  os << formatv(
      "};\n\nstatic inline const char *{0}_describe(int32_t code) {{\n"
      "  switch (code) {{\n",
      model.name);
  for (const Code &code : codes)
    os << formatv("  case {0}_{1}:\n    return \"{2}\";\n", upper, code.name,
                  code.text);
  os << "  default:\n    return \"unknown code\";\n  }\n}\n\n";
  return text;
}

/// The table that the checks read.
static void writeLimits(const DeployedModel &model, StringRef upper,
                        raw_ostream &os) {
  os << formatv("/* The memory of a call: arguments, results{1} and arena. */\n"
                "static const struct {{\n  size_t bytes;\n"
                "  size_t alignment;\n  int is_written;\n} {0}_limits[] = {{\n",
                model.name, model.firstState.empty() ? "" : ", state");
  auto write = [&](const Twine &bytes, unsigned alignment, bool isWritten) {
    os << formatv("    {{{0}_{1}_BYTES, {2}, {3}},\n", upper, bytes.str(),
                  alignment, isWritten ? 1 : 0);
  };
  auto writeAll = [&](StringRef kind, ArrayRef<ValueSignature> values,
                      bool areWritten) {
    for (auto [index, value] : enumerate(values))
      write(kind + Twine(index), getElementType(value).alignment,
            areWritten || value.isWritten);
  };
  writeAll("ARGUMENT", model.signature.arguments, false);
  writeAll("RESULT", model.signature.results, true);
  if (!model.firstState.empty())
    write("STATE", kArenaAlignment, true);
  write("ARENA", kArenaAlignment, true);
  os << "};\n\n";
}

/// {0}: the name, {1}: in upper case, {2}: the number of the arena,
/// {3}: whether checks are on.
static constexpr StringLiteral kAddressCheck =
    R"(/* Whether functions that run the model check its memory first. */
#ifndef {1}_CHECKS
#define {1}_CHECKS {3}
#endif

static inline int32_t {0}_check({4}void *const *bindings, size_t arena_bytes) {{
  size_t i, j;
  if (arena_bytes < {0}_limits[{2}].bytes)
    return {1}_SHORT_ARENA;
  for (i = 0; i <= {2}; ++i) {{
    uintptr_t begin = (uintptr_t)bindings[i];
    if ({0}_limits[i].bytes == 0)
      continue;
    if (begin == 0)
      return {1}_NULL_POINTER;
    if (begin % {0}_limits[i].alignment != 0)
      return {1}_MISALIGNED;
    for (j = 0; j < i; ++j) {{
      uintptr_t other = (uintptr_t)bindings[j];
      if (({0}_limits[i].is_written || {0}_limits[j].is_written) &&
          begin < other + {0}_limits[j].bytes &&
          other < begin + {0}_limits[i].bytes)
        return {1}_OVERLAP;
    }
  }
  return {1}_OK;
}

)";

static constexpr StringLiteral kMemoryCheck =
    R"(#ifndef MLIR_PROF_MEMORY
#define MLIR_PROF_MEMORY
/* Memory that a program passes, and whether a model may write it. */
typedef struct mlir_prof_memory {{
  void *begin;
  size_t bytes;
  int is_writable;
} mlir_prof_memory;
#endif

static inline int32_t
{0}_check_memory(const mlir_prof_memory *memory, size_t count) {{
  size_t i;
  if (!memory)
    return {1}_NULL_POINTER;
  if (count != {2} + 1)
    return {1}_WRONG_SIZE;
  for (i = 0; i <= {2}; ++i) {{
    if (i == {2} ? memory[i].bytes < {0}_limits[i].bytes
                 : memory[i].bytes != {0}_limits[i].bytes)
      return i == {2} ? {1}_SHORT_ARENA : {1}_WRONG_SIZE;
    if ({0}_limits[i].is_written && {0}_limits[i].bytes != 0 &&
        !memory[i].is_writable)
      return {1}_READ_ONLY;
  }
  return {1}_OK;
}

)";

/// The check on the bytes of a call in place of the most.
static std::string limitBySizes(const DeployedModel &model, std::string check) {
  size_t count =
      model.signature.arguments.size() + model.signature.results.size();
  for (StringRef index : {"i", "j"}) {
    std::string most = model.name + "_limits[" + index.str() + "].bytes";
    std::string own =
        formatv("({0} < {1} ? bytes[{0}] : {2})", index, count, most);
    for (size_t at = 0; (at = check.find(most, at)) != std::string::npos;
         at += own.size())
      check.replace(at, most.size(), own);
  }
  return check;
}

std::string deploy::writeChecks(const DeployedModel &model) {
  std::string text, upper = StringRef(model.name).upper();
  raw_string_ostream os(text);
  writeLimits(model, upper, os);
  bool hasRanges = !model.sizes.empty();
  std::string check = formatv(kAddressCheck.data(), model.name, upper,
                              getArenaNumber(model), model.hasChecks ? 1 : 0,
                              hasRanges ? "const size_t *bytes, " : "");
  if (hasRanges) {
    os << limitBySizes(model, std::move(check));
    return text;
  }
  os << check;
  os << formatv(kMemoryCheck.data(), model.name, upper, getArenaNumber(model));
  return text;
}
