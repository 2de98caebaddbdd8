//===- Annotate.cpp - mlir-prof annotate ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Annotate.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Units.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

using namespace mlirprof;
using namespace mlirprof::transforms;
using llvm::opt::InputArgList;

static llvm::Error writeModule(mlir::Operation *module, bool bytecode,
                               llvm::StringRef output) {
  return writeOutput(output, [&](llvm::raw_ostream &os) -> llvm::Error {
    if (!bytecode) {
      module->print(os, mlir::OpPrintingFlags().enableDebugInfo());
      os << '\n';
      return llvm::Error::success();
    }
    if (mlir::failed(mlir::writeBytecodeToFile(module, os)))
      return inputError(output, "the module cannot be written as bytecode",
                        "Write text instead, without --emit-bytecode.");
    return llvm::Error::success();
  });
}

static llvm::Error run(const InputArgList &arguments) {
  // The profile contains the levels of recordings by mlir-prof.
  llvm::StringRef model;
  if (arguments.hasArg(OPT_INPUT) || !arguments.hasArg(OPT_level_EQ)) {
    auto input = getOneInput(arguments, "module");
    if (!input)
      return input.takeError();
    model = *input;
  }
  llvm::StringRef profile = arguments.getLastArgValue(OPT_profile_EQ);
  // `annotate run.mlprof --level=loops`: the profile contains everything.
  if (profile.empty() && arguments.hasArg(OPT_level_EQ))
    std::swap(model, profile);
  if (profile.empty())
    return usageError("needs --profile=FILE, or --level=LEVEL with a profile "
                      "that holds its modules");
  if (model == "-" && profile == "-")
    return usageError("the module and the profile cannot both be read from -");
  auto carrier = getChoice(arguments, OPT_carrier_EQ,
                           {"attribute", "location", "compat-profiler-data"});
  if (!carrier)
    return carrier.takeError();
  llvm::StringRef output = getOutput(arguments);
  bool bytecode = arguments.hasArg(OPT_emit_bytecode);
  if (bytecode && output == "-" && llvm::sys::Process::StandardOutIsDisplayed())
    return usageError("bytecode is binary; name a file with -o");

  auto session = openSession(arguments, profile, model, ModuleUse::Required);
  if (!session)
    return session.takeError();
  AnnotateOptions options;
  static constexpr Carrier kCarriers[] = {Carrier::Attribute, Carrier::Location,
                                          Carrier::CompatProfilerData};
  options.carrier = kCarriers[*carrier];
  options.compatProfilerData = arguments.hasArg(OPT_compat_profiler_data);
  uint64_t annotated = annotateModule(*session, options);
  if (llvm::Error error = writeModule(session->module.get(), bytecode, output))
    return error;
  // Last, so that a verb that fails does not change anything. The profile gets
  // the original module, without the times.
  bool isInput = arguments.getLastArgValue(OPT_level_EQ, "input") == "input";
  if (!arguments.hasArg(OPT_no_store) && !model.empty() && isInput) {
    stripAnnotations(session->module.get());
    auto onNote = [](llvm::StringRef text) { note(text); };
    if (llvm::Error error = storeInProfile(*session, profile, model, onNote))
      // A failure to write the profile does not stop the annotation.
      note("the module was not stored in the profile: " +
           llvm::toString(std::move(error)));
  }
  note(llvm::formatv("{0} of {1} got times", annotated,
                     formatCount(session->ownership->ops.size(), "op")));
  return llvm::Error::success();
}

Verb verb::Annotate() { return {"annotate", run}; }
