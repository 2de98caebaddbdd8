//===- Header.cpp - The interface of a model for C ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Deploy/Deploy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::deploy;

/// The type of C for an element; bytes for one that C does not have.
static StringRef getCType(StringRef element) {
  return StringSwitch<StringRef>(element)
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
      .Default("void");
}

static uint64_t getBytes(const ValueSignature &value) {
  uint64_t bytes = value.bytesPerElement;
  for (int64_t size : value.shape)
    bytes *= uint64_t(size);
  return bytes;
}

static std::string describeShape(const ValueSignature &value) {
  std::string text;
  for (int64_t size : value.shape)
    text += std::to_string(size) + "x";
  return text + value.elementType;
}

namespace {
/// Writes the header of a model.
class HeaderWriter {
public:
  explicit HeaderWriter(const DeployedModel &model)
      : model(model), upper(StringRef(model.name).upper()), os(text) {}

  std::string write();

private:
  void writeSizes();
  void writeParameters();
  void writeRun();

  const DeployedModel &model;
  std::string upper;
  std::string text;
  raw_string_ostream os;
};
} // namespace

void HeaderWriter::writeSizes() {
  os << formatv(
      "/* Memory that a call needs, without arguments and results, and "
      "its alignment.\n   Its contents need not last from one call to "
      "the next. */\n"
      "#define {0}_ARENA_BYTES {1}\n#define {0}_ARENA_ALIGNMENT 64\n",
      upper, model.arenaBytes);
  auto define = [&](StringRef kind, ArrayRef<ValueSignature> values) {
    os << formatv("#define {0}_{1}_COUNT {2}\n", upper, kind, values.size());
    for (auto [index, value] : enumerate(values))
      os << formatv("/* {0}: {1} */\n#define {2}_{3}{4}_BYTES {5}\n",
                    value.name, describeShape(value), upper, kind, index,
                    getBytes(value));
  };
  define("ARGUMENT", model.signature.arguments);
  define("RESULT", model.signature.results);
  os << '\n';
}

void HeaderWriter::writeParameters() {
  for (auto [index, value] : enumerate(model.signature.arguments))
    os << formatv("{0}{1} *argument{2}, ", value.isWritten ? "" : "const ",
                  getCType(value.elementType), index);
  for (auto [index, value] : enumerate(model.signature.results))
    os << formatv("{0} *result{1}, ", getCType(value.elementType), index);
  os << "void *arena";
}

void HeaderWriter::writeRun() {
  os << formatv(
      "/* Runs the model: reads the arguments, writes the results. "
      "Several threads may\n   call it, each with an arena of its own. "
      "The arena may be null if it does not\n   have a size. */\n"
      "static inline void {0}_run(",
      model.name);
  writeParameters();
  os << ") {\n  void *bindings[] = {";
  for (size_t index = 0; index != model.signature.arguments.size(); ++index)
    os << formatv("(void *)argument{0}, ", index);
  for (size_t index = 0; index != model.signature.results.size(); ++index)
    os << formatv("(void *)result{0}, ", index);
  os << formatv("arena};\n  {0}(bindings, 0, 0, 0, 0);\n}\n", model.name);
}

std::string HeaderWriter::write() {
  os << formatv(
      "/* {0}.h - a model for {1}, made by mlir-prof. */\n\n"
      "#ifndef MLIR_PROF_MODEL_{2}_H\n#define MLIR_PROF_MODEL_{2}_H\n\n"
      "#include <stdint.h>\n\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n",
      model.name, model.targetName, upper);
  writeSizes();
  os << formatv(
      "/* The same for all models: the addresses of arguments, results "
      "and arena; the\n   other arguments are 0. */\n"
      "void {0}(void *const *bindings, const int64_t *parameters, "
      "uint32_t x,\n     uint32_t y, uint32_t z);\n\n",
      model.name);
  writeRun();
  os << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  return std::move(text);
}

std::string deploy::writeHeader(const DeployedModel &model) {
  return HeaderWriter(model).write();
}
