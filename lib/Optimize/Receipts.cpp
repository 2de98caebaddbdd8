//===- Receipts.cpp - What was tried, and how it ended --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Receipts.h"
#include "Search.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Report/Units.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Version.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;

static int64_t toPs(double seconds) { return int64_t(seconds * 1e12); }

static std::string getPercent(double ratio) {
  return llvm::formatv("{0:f1} %", 100 * ratio);
}

/// The location of the first op of a site, as text.
static std::string getLocation(const OpSite &site) {
  std::string text;
  llvm::raw_string_ostream os(text);
  prof::removeIdentities(site.ops.front()->getLoc()).print(os);
  return text;
}

static llvm::StringRef getName(ReceiptOrigin origin) {
  return origin == ReceiptOrigin::Search ? "search" : "database";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeComparison(llvm::json::OStream &json, llvm::StringRef name,
                            const std::optional<Comparison> &comparison) {
  if (!comparison)
    return;
  json.attributeObject(name, [&] {
    json.attribute("verdict", getName(comparison->verdict));
    json.attribute("before_ps", toPs(comparison->incumbentSeconds));
    json.attribute("after_ps", toPs(comparison->candidateSeconds));
    json.attribute("ratio", comparison->ratio);
    json.attribute("spread", comparison->spread);
    json.attribute("rounds", int64_t(comparison->rounds));
    json.attribute("probability", comparison->probability);
  });
}

static void writeChoice(llvm::json::OStream &json, const Choice &choice) {
  json.attributeObject("choice", [&] {
    for (const auto &[name, value] : choice)
      json.attribute(name, value);
  });
}

static void writeReceipt(llvm::json::OStream &json, const Receipt &receipt,
                         const ModelSites &sites) {
  const Observation &seen = receipt.observation;
  json.object([&] {
    json.attribute("technique", receipt.technique);
    writeChoice(json, receipt.choice);
    json.attributeArray("ops", [&] {
      for (auto [index, site] : llvm::enumerate(receipt.sites))
        json.object([&] {
          json.attribute("op", sites.sites[site].label);
          json.attribute("location", getLocation(sites.sites[site]));
          json.attribute("count", int64_t(sites.sites[site].ops.size()));
          json.attribute("time_ps", toPs(sites.sites[site].seconds));
          if (index < receipt.choices.size() &&
              receipt.choices[index] != receipt.choice)
            writeChoice(json, receipt.choices[index]);
        });
    });
    json.attribute("origin", getName(receipt.origin));
    if (receipt.origin == ReceiptOrigin::Database)
      json.attribute("confidence", getName(receipt.confidence));
    json.attribute("applied", receipt.isApplied);
    json.attribute("outcome", getName(seen.outcome));
    json.attribute("reason", seen.reason);
    if (seen.rounds != 0) {
      json.attribute("old_ps", seen.oldPs);
      json.attribute("new_ps", seen.newPs);
      json.attribute("spread", seen.spread);
      json.attribute("rounds", int64_t(seen.rounds));
    }
    if (seen.probability)
      json.attribute("probability", *seen.probability);
    if (seen.error)
      json.attribute("error", *seen.error);
    if (receipt.opError)
      json.attribute("op_error", *receipt.opError);
    if (receipt.origin == ReceiptOrigin::Search)
      json.attribute("at_seconds", receipt.atSeconds);
  });
}

void mlirprof::writeReceipts(const OptimizerResult &result,
                             const ModelSites &sites, llvm::StringRef model,
                             llvm::StringRef machine, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("format", "mlir-prof.receipts/1");
    json.attribute("producer", getVersion());
    json.attribute("model", model);
    json.attribute("machine", machine);
    json.attributeObject("before", [&] {
      json.attribute("text_bytes", int64_t(result.textBefore));
      json.attribute("error", result.errorBefore);
    });
    json.attributeObject("after", [&] {
      json.attribute("text_bytes", int64_t(result.textAfter));
      json.attribute("error", result.errorAfter);
    });
    json.attributeObject("unoptimised", [&] {
      json.attribute("pipeline", result.referencePipeline);
      json.attribute("time_ps", toPs(result.referenceSeconds));
    });
    json.attribute("tolerance", result.tolerance);
    writeComparison(json, "control", result.control);
    writeComparison(json, "whole", result.whole);
    json.attribute("previous_returned", !result.whyPrevious.empty());
    json.attribute("why_previous", result.whyPrevious);
    json.attribute("interrupted", result.wasInterrupted);
    json.attribute("known", result.wasKnown);
    json.attribute("stopped", getName(result.stop));
    json.attribute("used_seconds", result.usedSeconds);
    json.attribute("search_seconds", result.searchSeconds);
    json.attributeArray("notes", [&] {
      for (const std::string &note : result.notes)
        json.value(note);
    });
    json.attributeArray("receipts", [&] {
      for (const Receipt &receipt : result.receipts)
        writeReceipt(json, receipt, sites);
    });
  });
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string nameOps(const Receipt &receipt, const ModelSites &sites) {
  if (receipt.sites.empty())
    return "an op";
  const OpSite &first = sites.sites[receipt.sites.front()];
  std::string text = first.label;
  if (receipt.sites.size() > 1)
    text += llvm::formatv(" and {0} more", receipt.sites.size() - 1);
  else if (first.ops.size() > 1)
    text += llvm::formatv(" ({0} times)", first.ops.size());
  return text;
}

static std::string describeTimes(const Observation &seen) {
  if (seen.rounds == 0 || seen.oldPs <= 0)
    return "";
  return llvm::formatv("{0} -> {1} ({2:f4} of it, spread {3:f1} %, {4} rounds)",
                       formatTime(seen.oldPs), formatTime(seen.newPs),
                       double(seen.newPs) / double(seen.oldPs),
                       100 * seen.spread, seen.rounds);
}

static void printReceipt(const Receipt &receipt, const ModelSites &sites,
                         llvm::raw_ostream &os) {
  const Observation &seen = receipt.observation;
  os << "  " << receipt.technique << " " << describe(receipt.choice) << ": "
     << nameOps(receipt, sites) << "\n    "
     << (receipt.isApplied ? "applied" : "not applied");
  if (receipt.origin == ReceiptOrigin::Database)
    os << ", from the decisions (" << getName(receipt.confidence) << ")";
  std::string times = describeTimes(seen);
  if (!times.empty())
    os << "; " << times;
  if (!seen.reason.empty())
    os << "; " << seen.reason;
  if (seen.error)
    os << llvm::formatv("; error {0:e1}", *seen.error);
  if (receipt.opError)
    os << llvm::formatv(", of the op alone {0:e1}", *receipt.opError);
  os << "\n";
}

/// What the machine needs at least: why there is no more to gain.
static void printBound(const OptimizerResult &result, const ModelSites &sites,
                       llvm::raw_ostream &os) {
  double bound = 0, time = sites.seconds;
  for (const OpSite &site : sites.sites)
    bound += site.boundSeconds;
  if (bound <= 0 || time <= 0)
    return;
  os << llvm::formatv("the machine needs {0} for the operations and bytes of "
                      "its ops: {1} of the time in the profile\n",
                      formatTime(toPs(bound)), getPercent(bound / time));
}

static void printTimes(const OptimizerResult &result, llvm::raw_ostream &os) {
  if (result.referenceSeconds > 0)
    os << llvm::formatv("unoptimised, pipeline {0} on one thread: {1}\n",
                        result.referencePipeline,
                        formatTime(toPs(result.referenceSeconds)));
  if (result.whole) {
    const Comparison &whole = *result.whole;
    os << llvm::formatv(
        "before {0}, after {1}: {2:f4} of it (spread {3:f1} %, {4} rounds, "
        "probability that it is chance {5:g})\n",
        formatTime(toPs(whole.incumbentSeconds)),
        formatTime(toPs(whole.candidateSeconds)), whole.ratio,
        100 * whole.spread, whole.rounds, whole.probability);
  } else if (result.control) {
    os << "time of one run: "
       << formatTime(toPs(result.control->incumbentSeconds)) << "\n";
  }
  if (result.control)
    os << llvm::formatv("control, the same model twice: {0:f4} (spread {1:f1} "
                        "%)\n",
                        result.control->ratio, 100 * result.control->spread);
  if (result.textBefore)
    os << llvm::formatv("code {0} -> {1} bytes; error {2:e1} -> {3:e1} "
                        "(allowed {4:e1})\n",
                        result.textBefore, result.textAfter, result.errorBefore,
                        result.errorAfter, result.tolerance);
}

void mlirprof::printSummary(const OptimizerResult &result,
                            const ModelSites &sites, llvm::raw_ostream &os) {
  printTimes(result, os);
  printBound(result, sites, os);
  if (!result.whyPrevious.empty())
    os << "the previous version is returned: " << result.whyPrevious << "\n";
  size_t applied = 0, failed = 0, tried = 0;
  for (const Receipt &receipt : result.receipts) {
    applied += receipt.isApplied;
    failed += receipt.observation.outcome == Outcome::Failed;
    tried += receipt.origin == ReceiptOrigin::Search;
  }
  bool isMeasured = result.stop != StopReason::None || result.wasInterrupted;
  if (!isMeasured && !result.wasKnown)
    os << llvm::formatv("nothing was measured; {0} known choices applied\n",
                        applied);
  else if (result.wasKnown)
    os << "nothing was searched: with these ops and decisions all was tried "
          "before (--again tries again)\n";
  else
    os << llvm::formatv("{0} candidates tried in {1:f1} s, {2} applied, {3} "
                        "failed; {4}\n",
                        tried, result.searchSeconds, applied, failed,
                        result.wasInterrupted ? "interrupted"
                                              : getName(result.stop));
  for (const Receipt &receipt : result.receipts)
    if (receipt.isApplied)
      printReceipt(receipt, sites, os);
}

static void explainSite(const OpSite &site, size_t index,
                        const OptimizerResult &result, const ModelSites &sites,
                        const DecisionDatabase &database,
                        llvm::StringRef machine, llvm::raw_ostream &os) {
  os << site.label << "\n  at " << getLocation(site) << "\n";
  if (site.ops.size() > 1)
    os << "  " << site.ops.size() << " ops that are alike\n";
  os << "  hash " << site.signature.exact << "\n";
  if (sites.hasProfile && sites.seconds > 0)
    os << "  time " << formatTime(toPs(site.seconds)) << ", "
       << getPercent(site.seconds / sites.seconds) << " of the model\n";
  if (site.boundSeconds > 0) {
    os << "  the machine needs at least "
       << formatTime(toPs(site.boundSeconds));
    if (site.seconds > 0)
      os << " (" << getPercent(site.boundSeconds / site.seconds) << " of it)";
    os << "\n";
  }
  for (const Technique &technique : getTechniques()) {
    DecisionKey key{site.signature, machine.str(), technique.name.str()};
    for (const Observation *seen : database.findObservations(key)) {
      Receipt receipt;
      receipt.technique = key.technique;
      receipt.sites = {index};
      receipt.choice = seen->choice;
      receipt.observation = *seen;
      bool isNow = false;
      for (const Receipt &other : result.receipts)
        if (other.technique == receipt.technique &&
            other.observation.choice == receipt.choice &&
            other.sites == receipt.sites) {
          receipt.isApplied |= other.isApplied;
          receipt.opError = other.opError;
          isNow = true;
        }
      auto chosen = result.choices.find(site.signature.exact);
      if (!isNow && chosen != result.choices.end()) {
        auto by = chosen->second.find(receipt.technique);
        receipt.isApplied =
            by != chosen->second.end() && by->second == receipt.choice;
      }
      printReceipt(receipt, sites, os);
    }
  }
  // What was decided together with other ops.
  for (const Receipt &receipt : result.receipts)
    if (receipt.sites.size() > 1 && llvm::is_contained(receipt.sites, index))
      printReceipt(receipt, sites, os);
}

llvm::Error
mlirprof::explainOp(llvm::StringRef op, const OptimizerResult &result,
                    const ModelSites &sites, const DecisionDatabase &database,
                    llvm::StringRef machine, llvm::raw_ostream &os) {
  bool any = false;
  for (auto [index, site] : llvm::enumerate(sites.sites)) {
    if (!llvm::StringRef(site.label).contains(op) &&
        !llvm::StringRef(getLocation(site)).contains(op))
      continue;
    any = true;
    explainSite(site, index, result, sites, database, machine, os);
  }
  if (any)
    return llvm::Error::success();
  return inputError("--explain=" + op, "no op has this in its kind or location",
                    "Give a part of one, as 'mlir-prof report' lists them.");
}
