//===- Header.cpp - The interface of a model for C ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Devices.h"
#include "HeaderChecks.h"
#include "HeaderSizes.h"
#include "Plan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::deploy;

namespace {
/// Writes the header of a model.
class HeaderWriter {
public:
  explicit HeaderWriter(const DeployedModel &model)
      : model(model), upper(StringRef(model.name).upper()), os(text) {}

  std::string write();

private:
  /// Whether the function that runs the model does more than call kernels.
  bool mayFail() const { return model.yields || !model.devices.empty(); }
  void writeEntry();
  void writeParameters(size_t indent);
  void writeVariants();
  void writeCall();
  void beginRun(StringRef what, StringRef name, StringRef firstParameter);
  void writeBody(StringRef program, StringRef entry);
  void writeRun();
  void writeRunLoaded();
  void writeRunOn(StringRef name, StringRef loaded);

  const DeployedModel &model;
  std::string upper;
  std::string text;
  raw_string_ostream os;
};
} // namespace

void HeaderWriter::writeParameters(size_t indent) {
  std::string begin(indent, ' ');
  for (size_t index = 0; index != model.sizes.size(); ++index)
    os << formatv("int64_t size{0},\n{1}", index, begin);
  for (auto [index, value] : enumerate(model.signature.arguments))
    os << formatv("{0}{1} *argument{2},\n{3}", value.isWritten ? "" : "const ",
                  getElementType(value).name, index, begin);
  for (auto [index, value] : enumerate(model.signature.results))
    os << formatv("{0} *result{1},\n{2}", getElementType(value).name, index,
                  begin);
  if (!model.firstState.empty())
    os << "void *state, ";
  if (model.yields)
    os << "prof_request *request, ";
  if (!model.devices.empty())
    os << "prof_device_slot *devices,\n" << begin;
  os << "void *arena, size_t arena_bytes) {\n";
}

/// Declares the code of the model for those who link it.
void HeaderWriter::writeEntry() {
  if (model.needsInterpreter)
    os << formatv("/* For prof_bytecode_run(&{0}_program, bindings), with the "
                  "addresses of the\n   arguments, of the results and of the "
                  "arena. */\n"
                  "extern const prof_bytecode_program {0}_program;\n\n",
                  model.name);
  else if (mayFail())
    os << formatv("/* {3}, and the addresses of arguments, results{1} and "
                  "arena. Returns a\n   code. */\n"
                  "int32_t {0}({4}{5}void *const *bindings);\n\n",
                  model.name, model.firstState.empty() ? "" : ", state", "",
                  model.yields && !model.devices.empty()
                      ? "In a request or null, on devices that are open"
                  : model.yields ? "In a request or null"
                                 : "On devices that are open",
                  model.yields ? "prof_request *request, " : "",
                  model.devices.empty() ? "" : "prof_device_slot *devices, ");
  else
    os << formatv(
        "/* The same for all models: the addresses of arguments, results{2} "
        "and arena; the\n   {3}other arguments are 0. */\n"
        "void {0}(void *const *bindings, const int64_t *parameters, uint32_t x,"
        "\n     {1}uint32_t y, uint32_t z);\n\n",
        model.name, std::string(model.name.size() + 1, ' '),
        model.firstState.empty() ? "" : ", state",
        model.sizes.empty() ? "" : "parameters are the sizes, the ");
}

/// Declares what chooses the code for a processor.
void HeaderWriter::writeVariants() {
  std::string names;
  for (const DeployedVariant &variant : model.variants)
    names += (names.empty() ? "" : ", ") + variant.name;
  os << formatv(
      "/* The code for some processors that calls run: {0}. The first call "
      "chooses\n   the last one that the processor and the system can run. "
      "Null if there is none. */\n"
      "const char *{1}_variant(void);\n\n"
      "/* Chooses the code called `name`; null chooses the last one again. "
      "Returns\n   {2}_WRONG_PROCESSOR, and changes nothing, if the processor "
      "cannot run it, or\n   if the package does not have it. */\n"
      "int32_t {1}_use_variant(const char *name);\n\n",
      names, model.name, upper);
}

/// Fills the array of bindings, and checks it.
void HeaderWriter::writeCall() {
  if (!model.sizes.empty())
    os << formatv("  int64_t sizes[{0}];\n  const size_t *bytes;\n",
                  model.sizes.size());
  os << formatv("  void *bindings[{0}];\n", getArenaNumber(model) + 1);
  for (size_t index = 0; index != model.sizes.size(); ++index)
    os << formatv("  sizes[{0}] = size{0};\n", index);
  if (!model.sizes.empty())
    os << formatv("  bytes = {0}_bytes(sizes);\n  if (!bytes)\n    return "
                  "{1}_OUT_OF_RANGE;\n",
                  model.name, upper);
  size_t position = 0;
  auto bind = [&](const Twine &name) {
    os << formatv("  bindings[{0}] = (void *){1};\n", position++, name.str());
  };
  for (size_t index = 0; index != model.signature.arguments.size(); ++index)
    bind("argument" + Twine(index));
  for (size_t index = 0; index != model.signature.results.size(); ++index)
    bind("result" + Twine(index));
  if (!model.firstState.empty())
    bind("state");
  bind("arena");
  os << formatv("  if ({1}_CHECKS) {{\n"
                "    int32_t code = {0}_check({2}bindings, arena_bytes);\n"
                "    if (code != {1}_OK)\n      return code;\n  }\n"
                "  (void)arena_bytes;\n",
                model.name, upper, model.sizes.empty() ? "" : "bytes, ");
  if (!model.variants.empty())
    os << formatv("  if (!{0}_variant())\n    return {1}_WRONG_PROCESSOR;\n",
                  model.name, upper);
}

/// Begins the function `name` that runs a model.
void HeaderWriter::beginRun(StringRef what, StringRef name,
                            StringRef firstParameter) {
  os << formatv(
      "/* Runs {0}: reads the arguments, writes the results. Several threads "
      "may\n   call it, each with an arena of its own. The arena may be null "
      "if it does not\n   have a size.\n\n   Returns a code that {1}_describe "
      "explains; without checks,\n   {2}_OK. */\n",
      what, model.name, upper);
  std::string begin =
      formatv("static inline int32_t {0}_{1}(", model.name, name);
  os << begin;
  if (!firstParameter.empty())
    os << firstParameter << ",\n" << std::string(begin.size(), ' ');
  writeParameters(begin.size());
  writeCall();
}

void HeaderWriter::writeRun() {
  beginRun("the model", "run", "");
  writeBody("&" + model.name + "_program", model.name);
}

void HeaderWriter::writeRunLoaded() {
  beginRun("the model that prof_loader_load has set", "run_loaded",
           "const prof_loader_model *model");
  os << formatv("  if ({0}_CHECKS &&\n"
                "      (!model || model->magic != PROF_LOADER_MAGIC ||\n"
                "       model->arena_bytes != {0}_ARENA_BYTES ||\n"
                "       model->state_bytes != {2} ||\n"
                "       model->argument_count != {0}_ARGUMENT_COUNT ||\n"
                "       model->result_count != {0}_RESULT_COUNT || "
                "!model->{1}))\n"
                "    return {0}_BAD_PROGRAM;\n",
                upper, model.needsInterpreter ? "program" : "entry",
                model.firstState.size());
  writeBody("model->program", "model->entry");
}

/// The function NAME_on, which runs the model by the function `name` on memory
/// of stated sizes; `loaded` is the parameter of both for a loaded model.
void HeaderWriter::writeRunOn(StringRef name, StringRef loaded) {
  os << formatv("\n/* As {0}_{1}, on the memory of its parameters, in their "
                "order. With checks, it\n   is also an error if a size is not "
                "the model's, or if the model writes what is\n   not writable. "
                "*/\n",
                model.name, name);
  std::string begin =
      formatv("static inline int32_t {0}_{1}_on(", model.name, name);
  std::string next = ",\n" + std::string(begin.size(), ' ');
  os << begin;
  if (!loaded.empty())
    os << "const prof_loader_model *" << loaded << next;
  os << "const mlir_prof_memory *memory" << next << "size_t count";
  if (model.yields)
    os << next << "prof_request *request";
  if (!model.devices.empty())
    os << next << "prof_device_slot *devices";
  os << formatv(") {{\n  if ({1}_CHECKS) {{\n"
                "    int32_t code = {0}_check_memory(memory, count);\n"
                "    if (code != {1}_OK)\n      return code;\n  }\n"
                "  (void)count;\n  return {0}_{2}(",
                model.name, upper, name);
  if (!loaded.empty())
    os << loaded << ", ";
  unsigned index = 0;
  for (const ValueSignature &value : model.signature.arguments)
    os << formatv("({0}{1} *)memory[{2}].begin,\n      ",
                  value.isWritten ? "" : "const ", getElementType(value).name,
                  index++);
  for (const ValueSignature &value : model.signature.results)
    os << formatv("({0} *)memory[{1}].begin,\n      ",
                  getElementType(value).name, index++);
  if (!model.firstState.empty())
    os << formatv("memory[{0}].begin, ", index++);
  os << (model.yields ? "request, " : "")
     << (model.devices.empty() ? "" : "devices, ")
     << formatv("memory[{0}].begin, memory[{0}].bytes);\n}\n", index);
}

void HeaderWriter::writeBody(StringRef program, StringRef entry) {
  if (mayFail() && model.needsInterpreter) {
    os << formatv(
        "  switch (prof_bytecode_run_on({0}, {2}, {3}, {4}, {5}, "
        "bindings)) {{\n  case PROF_BYTECODE_GOOD:\n    return "
        "{1}_OK;\n{6}{7}  default:\n    return {1}_BAD_PROGRAM;\n  "
        "}\n}\n",
        program, upper, model.devices.empty() ? "0" : "devices",
        model.devices.size(), model.yields ? model.name + "_yield" : "0",
        model.yields ? "request" : "0",
        model.devices.empty() ? ""
                              : "  case PROF_BYTECODE_DEVICE_FAILED:\n  case "
                                "PROF_BYTECODE_BAD_DEVICE:\n    return " +
                                    upper + "_DEVICE_FAILED;\n",
        model.yields ? "  case PROF_BYTECODE_CANCELED:\n    return "
                       "PROF_REQUEST_CANCELED;\n"
                     : "");
    return;
  }
  if (mayFail()) {
    os << formatv("  return {0}({1}{2}bindings);\n}\n", entry,
                  model.yields ? "request, " : "",
                  model.devices.empty() ? "" : "devices, ");
    return;
  }
  if (model.needsInterpreter)
    os << formatv("  return prof_bytecode_run({0}, bindings) == 0\n"
                  "             ? {1}_OK\n             : {1}_BAD_PROGRAM;\n}\n",
                  program, upper);
  else
    os << formatv("  {0}(bindings, {2}, 0, 0, 0);\n  return {1}_OK;\n}\n",
                  entry, upper, model.sizes.empty() ? "0" : "sizes");
}

std::string HeaderWriter::write() {
  os << formatv(
      "/* {0}.h - a model for {1}, made by mlir-prof. */\n\n"
      "#ifndef MLIR_PROF_MODEL_{2}_H\n#define MLIR_PROF_MODEL_{2}_H\n\n"
      "#include <stddef.h>\n#include <stdint.h>\n{3}\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n",
      model.name, model.targetName, upper,
      mayFail()
          ? formatv("{0}{1}{2}",
                    model.needsInterpreter
                        ? "#include \"mlir-prof/Runtime/prof_bytecode.h\"\n"
                        : "",
                    model.devices.empty() && model.tables.empty()
                        ? ""
                        : "#include \"mlir-prof/Runtime/prof_device.h\"\n",
                    model.yields
                        ? "#include \"mlir-prof/Runtime/prof_request.h\"\n"
                        : "")
                .str()
      : model.isLoaded ? "#include \"mlir-prof/Runtime/prof_loader.h\"\n"
      : model.needsInterpreter
          ? "#include \"mlir-prof/Runtime/prof_bytecode.h\"\n"
          : "");
  os << defineSizes(model) << model.declarations;
  if (!model.devices.empty())
    os << declareBuffers(model) << declareDevices(model);
  os << model.tables;
  if (model.yields)
    os << formatv("/* For prof_steps_run and prof_bytecode_run_on. */\n"
                  "static inline int {0}_yield(void *request) {{\n  return "
                  "prof_request_yield((prof_request *)request);\n}\n\n",
                  model.name);
  bool isRun = model.hasEntry || model.needsInterpreter;
  if (!model.firstState.empty() && model.isLinked)
    os << formatv("/* Gives the variables their first values: before the first "
                  "call, and to begin anew. */\n"
                  "void {0}_reset(void *state);\n\n",
                  model.name);
  if (isRun) {
    if (model.isLinked)
      writeEntry();
    if (!model.variants.empty())
      writeVariants();
    os << writeCodes(model) << writeChecks(model);
    bool hasRanges = !model.sizes.empty();
    if (hasRanges)
      os << defineBytes(model);
    if (model.isLinked)
      writeRun();
    if (model.isLinked && !hasRanges)
      writeRunOn("run", "");
    if (model.isLoaded)
      writeRunLoaded();
    if (model.isLoaded && !hasRanges)
      writeRunOn("run_loaded", "model");
  }
  os << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  return std::move(text);
}

std::string deploy::writeHeader(const DeployedModel &model) {
  return HeaderWriter(model).write();
}
