//===- Explain.cpp - The story of one op ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReceiptText.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Optimize/Receipts.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Units.h"
#include "mlir/IR/Location.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

std::string optimize::getLocation(const OpSite &site) {
  std::string text;
  llvm::raw_string_ostream os(text);
  prof::removeIdentities(site.ops.front()->getLoc()).print(os);
  return text;
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
       << formatShare(site.seconds / sites.seconds) << " of the model\n";
  if (!site.sizes.empty())
    os << "  sizes " << formatSizes(site.sizes) << "\n";
  if (site.boundSeconds > 0)
    os << "  the machine needs "
       << describe(LeastTime{site.boundSeconds, site.seconds}, site.seconds,
                   "of it")
       << "\n";
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
      printReceipt(receipt, result, sites, os);
    }
  }
  // Choices that were decided together with other ops.
  for (const Receipt &receipt : result.receipts)
    if (receipt.sites.size() > 1 && llvm::is_contained(receipt.sites, index))
      printReceipt(receipt, result, sites, os);
}

llvm::Error
optimize::explainOp(llvm::StringRef op, const OptimizerResult &result,
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
