//===- Features.cpp - Processors that can run a library -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Features.h"
#include "mlir-prof/Runtime/prof_model_file.h"

using namespace mlirprof;
using namespace mlirprof::compile;

namespace {
struct Feature {
  unsigned bit;
  llvm::StringRef name;
};
} // namespace

static llvm::ArrayRef<Feature> getKnownFeatures() {
#define FEATURE(BIT, NAME) {BIT, NAME},
  // The first entry stands for machines without a list.
  static const Feature features[] = {{64, ""}, PROF_MODEL_FEATURES(FEATURE)};
#undef FEATURE
  return llvm::ArrayRef(features).drop_front();
}

uint64_t compile::getFeatures(const codegen::TargetModel &target) {
  // An unnamed processor is this one.
  const codegen::TargetModel &named =
      target.cpu.empty() ? codegen::getHostTarget(target.threads) : target;
  uint64_t features = 0;
  for (const Feature &feature : getKnownFeatures())
    if (codegen::hasFeature(named, feature.name))
      features |= uint64_t(1) << feature.bit;
  return features;
}

std::string compile::describeMissing(uint64_t features) {
  codegen::TargetModel host = codegen::getHostTarget(/*threads=*/1);
  std::string missing;
  for (const Feature &feature : getKnownFeatures())
    if ((features >> feature.bit & 1) &&
        !codegen::hasFeature(host, feature.name))
      missing += (missing.empty() ? "" : ", ") + feature.name.str();
  return missing;
}
