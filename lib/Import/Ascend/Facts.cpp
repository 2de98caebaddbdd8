//===- Facts.cpp - Steps and communication of Ascend ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Table/Csv.h"
#include "../Common/Table/Totals.h"
#include "Ascend.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::ascend;
using namespace mlirprof::profile;
using llvm::StringRef;

/// Further steps, or kinds of operations, are counted rather than listed.
static constexpr size_t kMostFacts = 256;

//===----------------------------------------------------------------------===//
// step_trace_time.csv
//===----------------------------------------------------------------------===//

/// "Computing 12.5 us, Free 3 us": the time columns of a step.
static std::string describeStep(llvm::ArrayRef<std::string> names,
                                llvm::ArrayRef<std::string> fields) {
  std::string text;
  for (auto [name, field] : llvm::zip(names, fields)) {
    int64_t ps;
    StringRef column = StringRef(name).trim();
    bool isTime =
        column != "Device_id" && column != "Step" &&
        table::parseDuration(field, json::DecimalUnit::Microseconds, ps);
    if (isTime)
      text += (text.empty() ? "" : ", ") + column.str() + " " +
              StringRef(field).trim().str() + " us";
  }
  return text;
}

llvm::Error ascend::addSteps(StringRef text, StringRef where, Run &run) {
  table::CsvReader lines(text);
  std::vector<std::string> names;
  if (lines.next())
    names = lines.getFields().vec();
  table::Header header(names);
  if (!header.has("Computing"))
    return inputError(where, "does not have a column Computing",
                      "It is not a step_trace_time.csv of Ascend's profiler.");
  LossList losses;
  for (size_t count = 0; lines.next(); ++count) {
    if (count >= kMostFacts) {
      losses.add("step of step_trace_time.csv beyond 256, not kept");
      continue;
    }
    StringRef device = table::getField(header, lines.getFields(), "Device_id");
    StringRef step = table::getField(header, lines.getFields(), "Step");
    std::string name = step.empty() ? "all steps" : "step " + step.str();
    if (!device.empty())
      name += " of device " + device.str();
    run.facts.emplace_back(name, describeStep(names, lines.getFields()));
  }
  llvm::append_range(run.losses, losses);
  if (lines.getFault() != table::CsvReader::Fault::None)
    return inputError(where + ": line " + llvm::Twine(lines.getLine()),
                      lines.describeFault());
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// communication.json
//===----------------------------------------------------------------------===//

namespace {
struct Communication {
  uint64_t count = 0;
  double elapsedMs = 0;
  double waitMs = 0;
};
using Kinds = std::map<std::string, Communication>;
} // namespace

/// "hcom_allReduce__506_1@1355" is of the kind "hcom_allReduce".
static std::string getKind(StringRef name) {
  name = name.split('@').first;
  while (!name.empty() && (llvm::isDigit(name.back()) || name.back() == '_'))
    name = name.drop_back();
  return name.str();
}

/// Adds the operations in a step's "collective" or "p2p".
static void addOperations(const llvm::json::Object &operations, Kinds &kinds) {
  for (const auto &[name, value] : operations) {
    const llvm::json::Object *operation = value.getAsObject();
    const llvm::json::Object *times =
        operation ? operation->getObject("Communication Time Info") : nullptr;
    // The file also contains their total.
    if (!times || StringRef(name).starts_with("Total Op Info"))
      continue;
    Communication &kind = kinds[getKind(name)];
    ++kind.count;
    kind.elapsedMs += times->getNumber("Elapse Time(ms)").value_or(0);
    kind.waitMs += times->getNumber("Wait Time(ms)").value_or(0);
  }
}

static std::string printMs(double ms) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.6f", ms);
  StringRef shown = StringRef(text).rtrim('0');
  return shown.rtrim('.').str() + " ms";
}

llvm::Error ascend::addCommunication(StringRef text, StringRef where,
                                     Run &run) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return inputError(where, llvm::toString(value.takeError()));
  const llvm::json::Object *steps = value->getAsObject();
  if (!steps)
    return inputError(where, "is not a JSON object");
  Kinds kinds;
  for (const auto &entry : *steps) {
    const llvm::json::Object *step = entry.second.getAsObject();
    for (StringRef part : {"collective", "p2p"})
      if (const auto *operations = step ? step->getObject(part) : nullptr)
        addOperations(*operations, kinds);
  }
  LossList losses;
  size_t count = 0;
  for (const auto &[name, kind] : kinds) {
    if (count++ >= kMostFacts) {
      losses.add("kind of communication beyond 256, not kept");
      continue;
    }
    run.facts.emplace_back("communication " + name,
                           std::to_string(kind.count) + " times, " +
                               printMs(kind.elapsedMs) + ", waiting " +
                               printMs(kind.waitMs));
  }
  llvm::append_range(run.losses, losses);
  return llvm::Error::success();
}
