//===- SiteSizes.cpp - The dynamic sizes of ops in requests ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SiteSizes.h"
#include "mlir-prof/Cost/ShapeEvaluator.h"
#include "mlir-prof/Tuning/Decision.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

/// Sizes of the dynamic dimensions of `values`; none where one is not known.
static std::optional<std::vector<int64_t>> getSizes(ValueRange values,
                                                    ShapeEvaluator &shapes) {
  std::vector<int64_t> sizes;
  for (Value value : values) {
    auto type = dyn_cast<ShapedType>(value.getType());
    if (!type || !type.hasRank())
      continue;
    for (unsigned i = 0; i != unsigned(type.getRank()); ++i) {
      if (!type.isDynamicDim(i))
        continue;
      std::optional<int64_t> size = shapes.getDimension(value, i);
      if (!size)
        return std::nullopt;
      sizes.push_back(*size);
    }
  }
  return sizes;
}

/// Each once, ascending; of more than a database keeps as many, evenly.
static MeasuredSizes tidy(MeasuredSizes sizes) {
  llvm::sort(sizes);
  sizes.erase(llvm::unique(sizes), sizes.end());
  constexpr size_t kMost = DecisionLimits::kSizes;
  if (sizes.size() <= kMost)
    return sizes;
  MeasuredSizes kept;
  for (size_t i = 0; i != kMost; ++i)
    kept.push_back(sizes[i * (sizes.size() - 1) / (kMost - 1)]);
  return kept;
}

static void addSizes(OpSite &site, ModelSites &sites, ShapeEvaluator &shapes) {
  auto entry = cast<FunctionOpInterface>(sites.entry);
  for (Operation *op : site.ops) {
    bool isEntry = op == sites.entry;
    if (!isEntry && !entry->isProperAncestor(op))
      continue;
    auto found = getSizes(isEntry ? ValueRange(entry.getArguments())
                                  : ValueRange(op->getOperands()),
                          shapes);
    if (found && !found->empty() && found->size() <= DecisionLimits::kSizes)
      site.sizes.push_back(std::move(*found));
  }
}

void optimize::addSizes(const SiteInput &input, ModelSites &sites) {
  auto entry = dyn_cast_or_null<FunctionOpInterface>(sites.entry);
  if (!entry || entry.isExternal())
    return;
  for (const auto &request : input.requests) {
    ShapeEvaluator shapes;
    for (auto [argument, shape] : llvm::zip(entry.getArguments(), request))
      shapes.setShape(argument, shape);
    for (OpSite &site : sites.sites)
      ::addSizes(site, sites, shapes);
  }
  for (OpSite &site : sites.sites)
    site.sizes = tidy(std::move(site.sizes));
}
