//===- Compile.cpp - mlir-prof compile ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Compile.h"
#include "DeviceOptions.h"
#include "Formats.h"
#include "OptimizeOptions.h"
#include "RecordOptions.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Units.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using llvm::opt::InputArgList;

static void writeValues(llvm::json::OStream &json, llvm::StringRef name,
                        llvm::ArrayRef<ValueSignature> values) {
  json.attributeArray(name, [&] {
    for (const ValueSignature &value : values)
      json.object([&] {
        json.attribute("name", value.name);
        json.attribute("type", value.elementType);
        json.attributeArray("shape", [&] {
          for (int64_t size : value.shape)
            if (mlir::ShapedType::isDynamic(size))
              json.value(nullptr);
            else
              json.value(size);
        });
        json.attribute("scalar", value.isScalar);
        json.attribute("written", value.isWritten);
      });
  });
}

/// "schema": "mlir-prof.compile/1".
static void writeJson(const CompiledFile &file, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema", "mlir-prof.compile/1");
    json.attribute("entry", file.entry);
    writeValues(json, "arguments", file.signature.arguments);
    writeValues(json, "results", file.signature.results);
    json.attribute("cpu", file.cpu);
    json.attribute("threads", file.threads);
    json.attribute("code_bytes", int64_t(file.sizes.code));
    json.attribute("constant_bytes", int64_t(file.sizes.constants));
    json.attribute("file_bytes", int64_t(file.sizes.file));
    json.attribute("state_bytes", int64_t(file.stateBytes));
    json.attribute("from_cache", file.isFound);
    json.attributeArray("stages", [&] {
      for (const BuildStage &stage : file.stages)
        json.object([&] {
          json.attribute("name", stage.name);
          json.attribute("seconds", stage.seconds);
          json.attribute("peak_bytes", int64_t(stage.peakBytes));
        });
    });
  });
  os << '\n';
}

static void writeText(const CompiledFile &file, llvm::raw_ostream &os) {
  auto describe = [&](llvm::StringRef what,
                      llvm::ArrayRef<ValueSignature> values) {
    for (const ValueSignature &value : values)
      os << what << ' ' << value.name << ": " << describeSizes(value.shape)
         << value.elementType << (value.isWritten ? ", written\n" : "\n");
  };
  describe("argument", file.signature.arguments);
  describe("result", file.signature.results);
  os << formatCount(file.sizes.file, "byte") << ": "
     << formatCount(file.sizes.code, "byte") << " of code, "
     << formatCount(file.sizes.constants, "byte") << " of constants; "
     << formatCount(file.stateBytes, "byte") << " of variables\n";
  for (const BuildStage &stage : file.stages)
    os << llvm::formatv("{0}: {1:f3} s, {2} MB at most\n", stage.name,
                        stage.seconds, stage.peakBytes >> 20);
}

static llvm::Error run(const InputArgList &arguments) {
  auto model = getOneInput(arguments, "model");
  if (!model)
    return model.takeError();
  auto format = getFormat(arguments, "compile");
  if (!format)
    return format.takeError();
  llvm::StringRef output = arguments.getLastArgValue(OPT_output);
  if (output.empty() || output == "-")
    return usageError("needs -o FILE for the compiled model");
  if (llvm::Error error = checkOutput(output))
    return error;
  auto options = getCompileOptions(arguments);
  if (!options)
    return options.takeError();
  auto device = getDeviceOptions(arguments);
  if (!device)
    return device.takeError();
  if (device->isGpu)
    if (llvm::Error error = useGpu(arguments, device->target, *options))
      return error;
  auto onNote = [](llvm::StringRef text) { note(text); };
  if (llvm::Error error = useDecisions(
          arguments.getLastArgValue(OPT_decisions_EQ), *options, onNote))
    return error;
  auto file = compileFile(*model, *options, output, onNote);
  if (!file)
    return file.takeError();
  return writeOutput("-", [&](llvm::raw_ostream &os) {
    if (*format == 1)
      writeJson(*file, os);
    else
      writeText(*file, os);
    return llvm::Error::success();
  });
}

Verb verb::Compile() { return {"compile", run, getDocumentFormats}; }
