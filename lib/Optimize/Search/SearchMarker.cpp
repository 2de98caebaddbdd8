//===- SearchMarker.cpp - Markers of completed searches -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchMarker.h"
#include "../Sites/ChoiceText.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Version.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::tuning;

static constexpr MarkerBasis kMarkerBases[] = {MarkerBasis::Values,
                                               MarkerBasis::Requests};

static std::string hashBytes(llvm::ArrayRef<char> bytes) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  return llvm::utohexstr(hash.high64) + "." + llvm::utohexstr(hash.low64);
}

/// The hash of the elements of `constant`; "" for other attributes.
static std::string hashElements(mlir::Attribute constant) {
  if (auto dense = llvm::dyn_cast<mlir::DenseIntOrFPElementsAttr>(constant))
    return hashBytes(dense.getRawData());
  // Its raw data are addresses of the strings.
  if (auto strings = llvm::dyn_cast<mlir::DenseStringElementsAttr>(constant)) {
    std::string all;
    for (llvm::StringRef text : strings.getRawStringData())
      all += std::to_string(text.size()) + ":" + text.str();
    return hashBytes(all);
  }
  if (auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(constant))
    if (mlir::AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return hashBytes(blob->getData());
  return "";
}

/// A hash of the elements of all constants of `module`, in their order; "none"
/// without any. The signatures of ops have those of small ones only.
static std::string hashConstants(mlir::ModuleOp module) {
  std::string all;
  if (module)
    module->walk([&](mlir::Operation *op) {
      for (mlir::NamedAttribute entry : op->getAttrs())
        if (std::string hash = hashElements(entry.getValue()); !hash.empty())
          all += hash + "\n";
    });
  return all.empty() ? "none" : contentHash(all);
}

/// Values that a place had often. How often is another number in each run.
static std::string describeFrequent(const ObservedValues &values) {
  constexpr double kShare = 0.05;
  std::string text = std::to_string(unsigned(values.kind));
  for (const std::string &name : values.names)
    text += " " + name;
  std::vector<std::vector<int64_t>> tuples;
  for (const ValueCount &entry : values.entries)
    if (double(entry.count) >= kShare * double(values.total))
      tuples.push_back(entry.tuple);
  llvm::sort(tuples);
  for (const std::vector<int64_t> &tuple : tuples) {
    text += ";";
    for (int64_t value : tuple)
      text += " " + std::to_string(value);
  }
  return text + "\n";
}

Choice SearchMarker::get(MarkerBasis basis, const ChoiceMap &choices) {
  if (constants.empty())
    constants = hashConstants(sites.module);
  // Step 1: the program and its options.
  const CompileOptions &compile = options.compile;
  std::string all =
      llvm::formatv("{0} tolerance {1:e} max-error {2:e} polynomials {3} {4}\n",
                    getVersion(), options.tolerance, compile.maxError,
                    compile.polynomials, compile.pipeline);
  // Decisions of searches that did not measure these may be slower for some.
  if (!options.unseenRequests.empty())
    all += "measured on shapes that were not recorded\n";
  if (sites.effort == Effort::All)
    all += "all ops\n";
  // Weights decide which values are seen within the model, and which
  // algorithms err by how much.
  all += "constants " + constants + "\n";
  // Step 2: the requests. Without a recording, nothing is known of the values
  // that one would show.
  if (basis == MarkerBasis::Requests)
    all += sites.valueOrigin == ValueOrigin::Profile ? "profile\n" : "run\n";
  for (const Arguments &request : options.requests)
    for (const HostTensor &tensor : request) {
      for (int64_t size : tensor.shape)
        all += std::to_string(size) + " ";
      if (basis == MarkerBasis::Requests)
        all += contentHash({tensor.bytes.data(), tensor.bytes.size()}) + " ";
    }
  // Step 3: techniques, ops and the values that ops saw.
  for (const Technique *technique : space.getTechniques())
    all += technique->name.str() + "\n";
  for (const OpSite &site : sites.sites) {
    all += site.signature.exact + "\n";
    if (basis == MarkerBasis::Values ||
        sites.valueOrigin == ValueOrigin::Profile)
      for (const ObservedValues &values : site.values)
        all += describeFrequent(values);
  }
  return {
      {"choices", contentHash(describe(choices))},
      {basis == MarkerBasis::Values ? "model" : "requests", contentHash(all)}};
}

std::vector<Choice> SearchMarker::get(const ChoiceMap &choices) {
  std::vector<Choice> markers;
  for (MarkerBasis basis : kMarkerBases)
    markers.push_back(get(basis, choices));
  return markers;
}

bool SearchMarker::isComplete(const ChoiceMap &choices,
                              const DecisionDatabase &database) {
  return llvm::any_of(kMarkerBases, [&](MarkerBasis basis) {
    // Values that nobody has looked at are not values that are alike.
    if (basis == MarkerBasis::Values && !sites.hasProfile &&
        sites.valueOrigin == ValueOrigin::Requests)
      return false;
    return database.findObservation(keys.getModelKey(kModelTechnique),
                                    get(basis, choices)) != nullptr;
  });
}
