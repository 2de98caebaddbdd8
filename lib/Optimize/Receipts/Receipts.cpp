//===- Receipts.cpp - Trials and their outcomes ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Receipts.h"
#include "ReceiptText.h"
#include "mlir-prof/Support/Version.h"
#include "mlir-prof/Tuning/DecisionWriter.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

static llvm::StringRef getName(ReceiptOrigin origin) {
  return origin == ReceiptOrigin::Search ? "search" : "database";
}

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

/// A bound that a run refutes is written as withdrawn.
static void writeLeastTime(llvm::json::OStream &json, const LeastTime &least) {
  if (least.seconds <= 0)
    return;
  json.attributeObject("bound", [&] {
    json.attribute("least_ps", least.isWithdrawn() ? 0 : toPs(least.seconds));
    json.attribute("withdrawn", least.isWithdrawn());
    if (!least.isWithdrawn())
      return;
    json.attribute("withdrawn_ps", toPs(least.seconds));
    json.attribute("fastest_ps", toPs(least.fastestSeconds));
  });
}

static void writeUnseen(llvm::json::OStream &json,
                        const OptimizerResult &result) {
  json.attributeArray("unseen", [&] {
    for (const UnseenResult &seen : result.unseen)
      json.object([&] {
        json.attribute("shapes", seen.shapes);
        json.attribute("before_ps", toPs(seen.comparison.incumbentSeconds));
        json.attribute("after_ps", toPs(seen.comparison.candidateSeconds));
        json.attribute("ratio", seen.comparison.ratio);
        json.attribute("spread", seen.comparison.spread);
        json.attribute("rounds", int64_t(seen.comparison.rounds));
        json.attribute("error", seen.error);
      });
  });
}

static void writeChoice(llvm::json::OStream &json, const Choice &choice) {
  json.attributeObject("choice", [&] {
    for (const auto &[name, value] : choice)
      json.attribute(name, value);
  });
}

/// As a database keeps it, so that the trial is found again by its op; null for
/// one that was not measured.
static void writeObserved(llvm::json::OStream &json, const Receipt &receipt) {
  if (receipt.observation.whenMs == 0)
    return json.attribute("observation", nullptr);
  Observation filed = receipt.observation;
  if (receipt.origin == ReceiptOrigin::Search)
    filed.error = receipt.opError;
  json.attributeObject("observation", [&] { writeObservation(json, filed); });
}

static void writeReceipt(llvm::json::OStream &json, const Receipt &receipt,
                         const OptimizerResult &result,
                         const ModelSites &sites) {
  const Observation &seen = receipt.observation;
  json.object([&] {
    json.attribute("technique", receipt.technique);
    writeChoice(json, receipt.choice);
    json.attributeArray("ops", [&] {
      for (size_t index : llvm::seq(receipt.sites.size()))
        json.object([&] {
          const OpSite &site = sites.sites[receipt.sites[index]];
          json.attribute("op", site.label);
          json.attribute("location", getLocation(site));
          json.attribute("count", int64_t(site.ops.size()));
          json.attribute("time_ps", toPs(site.seconds));
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
      if (seen.oldPs > 0)
        json.attribute("change", getName(judgeChange(
                                     double(seen.newPs) / double(seen.oldPs),
                                     getNoise(result, seen.spread))));
    }
    if (seen.probability)
      json.attribute("probability", *seen.probability);
    if (seen.error)
      json.attribute("error", *seen.error);
    if (receipt.opError)
      json.attribute("op_error", *receipt.opError);
    if (!seen.sizes.empty())
      json.attributeArray("sizes", [&] {
        for (const std::vector<int64_t> &combination : seen.sizes)
          json.value(formatSizes({combination}));
      });
    if (receipt.origin == ReceiptOrigin::Search)
      json.attribute("at_seconds", receipt.atSeconds);
    writeObserved(json, receipt);
  });
}

void optimize::writeReceipts(const OptimizerResult &result,
                             const ModelSites &sites, llvm::StringRef model,
                             llvm::StringRef machine, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema", "mlir-prof.receipts/2");
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
    json.attributeObject("unoptimized", [&] {
      json.attribute("pipeline", result.referencePipeline);
      json.attribute("time_ps", toPs(result.referenceSeconds));
    });
    json.attribute("tolerance", result.tolerance);
    writeLeastTime(json, getLeastTime(result, sites));
    writeComparison(json, "control", result.control);
    json.attribute("noise", getNoise(result, 0));
    writeComparison(json, "whole", result.whole);
    writeUnseen(json, result);
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
        writeReceipt(json, receipt, result, sites);
    });
  });
  os << '\n';
}
