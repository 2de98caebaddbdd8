//===- Incumbent.h - The best version of the model so far -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_INCUMBENT_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_INCUMBENT_H

#include "ModelBuilder.h"

#include <optional>
#include <vector>

namespace mlirprof::optimize {

/// A build of the model that was measured or is measured against.
struct ModelVersion {
  OwnedServer server;
  ChoiceMap choices;
  /// One round of all requests, in seconds; 0: not measured yet.
  double seconds = 0;
  /// Largest error of its results against the unoptimized model.
  double error = 0;
  /// Whether each of its choices was kept for the size of the code alone.
  bool isForSizeOnly = true;
  /// Its comparisons with the model without choices on shapes that were not
  /// recorded.
  std::vector<UnseenResult> unseen;
};

/// The baseline, which is the model without choices, and the incumbent: the
/// best version so far, with which candidates are compared.
class Incumbent {
public:
  /// Begins with the baseline, which is the incumbent, too.
  void setBaseline(ModelVersion version);
  /// Notes the time of the baseline.
  void setBaselineSeconds(double seconds) { baseline.seconds = seconds; }
  /// Notes the time of the incumbent, which is not the baseline, and how it
  /// does for shapes that were not recorded.
  void setMeasured(double seconds, std::vector<UnseenResult> unseen);
  /// Notes an error of the incumbent on other arguments.
  void addError(double error);
  /// `version` is the incumbent from now on.
  void adopt(ModelVersion version);
  /// The baseline is the incumbent again.
  void reset();
  /// `server` runs the incumbent from now on, as its process has ended.
  void replaceServer(OwnedServer server);

  bool isBaseline() const { return !best; }
  const ModelVersion &get() const { return best ? *best : baseline; }
  const ModelVersion &getBaseline() const { return baseline; }
  record::ModelServer &getServer() const { return *get().server; }
  record::ModelServer &getBaselineServer() const { return *baseline.server; }

  /// The bytes of code when the version was built.
  uint64_t getTextBytes() const { return best ? bestText : baselineText; }
  uint64_t getBaselineTextBytes() const { return baselineText; }
  /// The incumbent's time as part of the baseline's; 1 where one of them was
  /// not measured yet.
  double getRatio() const;

private:
  ModelVersion baseline;
  std::optional<ModelVersion> best;
  uint64_t baselineText = 0, bestText = 0;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_INCUMBENT_H
