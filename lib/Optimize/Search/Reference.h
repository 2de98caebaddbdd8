//===- Reference.h - Results of the unoptimized model -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_REFERENCE_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_REFERENCE_H

#include "ModelBuilder.h"
#include "mlir-prof/Optimize/ResultCheck.h"

#include <string>
#include <vector>

namespace mlirprof::optimize {

/// A request of OptimizerOptions::unseenRequests that the model runs on.
struct UnseenShape {
  const Arguments *request = nullptr;
  /// The results of the unoptimized model for it, and the largest error that
  /// other results may have.
  ModelResults reference;
  double tolerance = 0;
};

/// The results of the model as its ops define them, against which those of all
/// builds are checked.
class Reference {
public:
  /// All of them outlive this.
  Reference(const ModelBuilder &builder, const ModelSites &sites,
            const OptimizerOptions &options)
      : builder(builder), sites(sites), options(options) {}

  /// Computes the results: op after op, by upstream's lowerings alone. Where
  /// that cannot be built or takes too long, by the default pipeline without
  /// polynomials and faster algorithms, for size.
  llvm::Error compute(std::vector<std::string> &notes);
  /// Checks the results of the model without choices and sets the tolerance by
  /// them; their error. Fails where they are wrong.
  llvm::Expected<double> acceptBaseline(const ModelResults &results,
                                        std::vector<std::string> &notes);

  /// Checks results for OptimizerOptions::requests by the tolerance.
  ResultCheck check(const ModelResults &results) const {
    return checkResults(results, main, tolerance);
  }
  /// Checks results for OptimizerOptions::checkRequests.
  ResultCheck checkOther(const ModelResults &results, double maxError) const {
    return checkResults(results, other, maxError);
  }
  /// Why there are no results for OptimizerOptions::checkRequests; else empty.
  llvm::StringRef whyNoOther() const { return noOther; }
  /// The shapes that the model runs on, with their results; they are gone then.
  std::vector<UnseenShape> takeUnseen() { return std::move(unseen); }

  /// Seconds of one request; 0: not known.
  double getSeconds() const { return seconds; }
  /// The pipeline that built the model; empty: none did.
  llvm::StringRef getPipeline() const { return pipeline; }
  double getTolerance() const { return tolerance; }

private:
  llvm::Error computeBy(const BuildSetup &setup,
                        std::vector<std::string> &notes);
  llvm::Error computeUnseen(record::ModelServer &built, const BuildSetup &setup,
                            std::vector<std::string> &notes);
  llvm::Error computeOther(record::ModelServer &built, const BuildSetup &setup);

  const ModelBuilder &builder;
  const ModelSites &sites;
  const OptimizerOptions &options;
  /// For OptimizerOptions::requests and checkRequests.
  ModelResults main, other;
  std::string noOther;
  std::vector<UnseenShape> unseen;
  double seconds = 0, tolerance = 0;
  std::string pipeline;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_REFERENCE_H
