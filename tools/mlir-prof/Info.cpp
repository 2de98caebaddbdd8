//===- Info.cpp - mlir-prof info ------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "SessionOptions.h"
#include "Verbs.h"
#include "mlir-prof/Advise/Advise.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Optimize/Technique.h"
#include "mlir-prof/Profile/Profile.h"
#include "mlir-prof/Record/Peak.h"
#include "mlir-prof/Report/Report.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Machine.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::compile;
using namespace mlirprof::importer;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::record;
using namespace mlirprof::report;
using llvm::opt::InputArgList;

static std::string getSchemaVersion() {
  return llvm::formatv("{0}.{1}", Profile::kMajor, Profile::kMinor).str();
}

static std::vector<FormatInfo> getFormatsRead() {
  std::vector<FormatInfo> formats = {
      {"mlprof", "profiles of mlir-prof, binary or JSON"}};
  for (const Importer &importer : getImporters())
    formats.push_back({importer.name, importer.description});
  for (const FolderImporter &importer : getFolderImporters())
    formats.push_back({importer.name, importer.description});
  return formats;
}

/// A registry, as a list for people and as a member of the document.
struct Listed {
  llvm::StringRef title;
  llvm::StringRef key;
  std::vector<FormatInfo> entries;
};

static std::vector<Listed> getListed() {
  return {{"Groupings (mlir-prof report --by)", "groupings",
           listEntries(getReports())},
          {"Techniques (mlir-prof optimize)", "techniques",
           listEntries(getTechniques())},
          {"Rules (mlir-prof advise)", "rules", listEntries(getAdviceRules())},
          {"Pipelines (mlir-prof record)", "pipelines",
           listEntries(getPipelines())}};
}

static void writePeak(const MachinePeak &peak, llvm::raw_ostream &os) {
  os << llvm::formatv(
      "  peak: {0:f1} GFLOP/s (f32, multiply-add) and {1:f1} GB/s with 1 "
      "thread, {2:f1} GFLOP/s and {3:f1} GB/s with {4}\n",
      double(peak.flopsOneThread) * 1e-9, double(peak.bytesOneThread) * 1e-9,
      double(peak.flopsAllThreads) * 1e-9, double(peak.bytesAllThreads) * 1e-9,
      peak.threads);
}

static void writePeak(const MachinePeak &peak, llvm::json::OStream &json) {
  json.attributeObject("peak", [&] {
    json.attribute("flops_one_thread", peak.flopsOneThread);
    json.attribute("flops_all_threads", peak.flopsAllThreads);
    json.attribute("bytes_one_thread", peak.bytesOneThread);
    json.attribute("bytes_all_threads", peak.bytesAllThreads);
    json.attribute("threads", peak.threads);
  });
}

static void writeText(const MachineInfo &machine,
                      const std::optional<MachinePeak> &peak,
                      llvm::raw_ostream &os) {
  os << llvm::formatv("mlir-prof {0}, MLIR {1}, profile schema {2}\n",
                      getVersion(), getLLVMVersion(), getSchemaVersion());
  auto list = [&](const std::vector<FormatInfo> &formats) {
    for (const FormatInfo &format : formats)
      os << llvm::formatv("  {0,-19} {1}\n", format.name, format.description);
  };
  os << "\nReads (each plain or gzipped):\n";
  list(getFormatsRead());
  for (const Verb &verb : getVerbs())
    if (verb.getFormats) {
      os << "\nWrites (mlir-prof " << verb.name << "):\n";
      list(verb.getFormats());
    }
  for (const Listed &listed : getListed()) {
    os << '\n' << listed.title << ":\n";
    list(listed.entries);
  }
  os << llvm::formatv("\nMachine: {0}, {1}, {2:f1} GiB\n  {3}\n  {4}\n",
                      machine.cpu, formatCount(machine.threads, "thread"),
                      double(machine.memoryBytes) / (1 << 30), machine.os,
                      llvm::join(machine.features, " "));
  if (peak)
    writePeak(*peak, os);
}

static void writeJson(const MachineInfo &machine,
                      const std::optional<MachinePeak> &peak,
                      llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  auto list = [&](llvm::StringRef key, const std::vector<FormatInfo> &formats) {
    json.attributeArray(key, [&] {
      for (const FormatInfo &format : formats)
        json.object([&] {
          json.attribute("name", format.name);
          json.attribute("description", format.description);
        });
    });
  };
  json.object([&] {
    json.attribute("schema", "mlir-prof.info/1");
    json.attribute("version", getVersion());
    json.attribute("mlir_version", getLLVMVersion());
    json.attribute("profile_schema", getSchemaVersion());
    list("reads", getFormatsRead());
    json.attributeObject("writes", [&] {
      for (const Verb &verb : getVerbs())
        if (verb.getFormats)
          list(verb.name, verb.getFormats());
    });
    for (const Listed &listed : getListed())
      list(listed.key, listed.entries);
    json.attributeObject("machine", [&] {
      json.attribute("cpu", machine.cpu);
      json.attribute("threads", machine.threads);
      json.attribute("memory_bytes", int64_t(machine.memoryBytes));
      json.attribute("os", machine.os);
      json.attributeArray("features", [&] {
        for (const std::string &feature : machine.features)
          json.value(feature);
      });
      if (peak)
        writePeak(*peak, json);
    });
  });
  os << '\n';
}

static llvm::Error run(const InputArgList &arguments) {
  if (arguments.hasArg(OPT_INPUT))
    return usageError("info does not take a file");
  auto json = getFormat(arguments, "info");
  if (!json)
    return json.takeError();
  MachineInfo machine = getMachineInfo();
  std::optional<MachinePeak> peak;
  if (arguments.hasArg(OPT_measure)) {
    auto measured = measurePeak();
    if (!measured)
      return measured.takeError();
    peak = *measured;
  }
  return writeOutput("-", [&](llvm::raw_ostream &os) {
    *json ? writeJson(machine, peak, os) : writeText(machine, peak, os);
    return llvm::Error::success();
  });
}

Verb verb::Info() { return {"info", run, getDocumentFormats}; }
