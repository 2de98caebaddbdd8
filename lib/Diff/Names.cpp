//===- Names.cpp - Names of the parts of a diff ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Diff/Diff.h"

using namespace mlirprof;
using namespace mlirprof::diff;

llvm::StringRef diff::toString(DiffBasis basis) {
  switch (basis) {
  case DiffBasis::None:
    return "none";
  case DiffBasis::Runs:
    return "runs";
  case DiffBasis::Pairs:
    return "pairs of runs";
  case DiffBasis::Events:
    return "events";
  case DiffBasis::Samples:
    return "samples";
  case DiffBasis::Iterations:
    return "iterations";
  }
  return "";
}

llvm::StringRef diff::toString(DiffMeasure measure) {
  switch (measure) {
  case DiffMeasure::WallTime:
    return "wall time";
  case DiffMeasure::Mean:
    return "mean";
  case DiffMeasure::SteadyMean:
    return "mean without outliers";
  case DiffMeasure::Share:
    return "share";
  case DiffMeasure::SteadyShare:
    return "share without outliers";
  case DiffMeasure::Fastest:
    return "fastest";
  }
  return "";
}

llvm::StringRef diff::toString(DiffVerdict verdict) {
  switch (verdict) {
  case DiffVerdict::Slower:
    return "slower";
  case DiffVerdict::Faster:
    return "faster";
  case DiffVerdict::NotSignificant:
    return "not significant";
  case DiffVerdict::Unknown:
    return "scatter unknown";
  case DiffVerdict::TooSmall:
    return "too small";
  }
  return "";
}

llvm::StringRef diff::toString(DiffMatch match) {
  switch (match) {
  case DiffMatch::Key:
    return "name";
  case DiffMatch::Structure:
    return "structure";
  case DiffMatch::Appeared:
    return "appeared";
  case DiffMatch::Disappeared:
    return "disappeared";
  }
  return "";
}

llvm::StringRef diff::toString(DiffUnit unit) {
  return unit == DiffUnit::Iteration ? "iteration" : "run";
}

llvm::StringRef diff::toString(DiffQuantity quantity) {
  switch (quantity) {
  case DiffQuantity::Time:
    return "time";
  case DiffQuantity::Cycles:
    return "cycles";
  case DiffQuantity::Samples:
    return "samples";
  case DiffQuantity::Counts:
    return "counts";
  }
  return "";
}

llvm::StringRef diff::getQuantityName(const ProfileDiff &diff) {
  return diff.quantity == DiffQuantity::Counts ? diff.countedUnit
                                               : toString(diff.quantity);
}
