//===- Tiles.cpp - Register tiles of products -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Techniques.h"
#include "mlir-prof/Codegen/RulePlan.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <map>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

/// Ops with less of the model's time than this are not worth a trial.
static constexpr double kLeastShare = 0.02;
/// A better tile closes much of the distance to the peak: a product is kept
/// from it by its tile, or by memory.
static constexpr double kCloses = 0.5;

namespace {
struct Tile {
  int64_t rows, vectors;
};
} // namespace

/// Tiles that keep a core's multipliers busy: enough independent sums, and no
/// more than registers hold with what they are made of. Rows that divide
/// `rows` leave no rest.
static std::vector<Tile> getTiles(const codegen::TargetModel &target,
                                  int64_t rows) {
  int64_t registers = target.vectorRegisters;
  std::vector<Tile> tiles;
  for (int64_t vectors : {1, 2, 3, 4, 6})
    for (int64_t tileRows = 1; tileRows <= 24; ++tileRows) {
      int64_t sums = tileRows * vectors;
      if (sums < registers / 2 || sums + vectors + 1 > registers)
        continue;
      bool isUsual = tileRows % 2 == 0;
      if (ShapedType::isDynamic(rows)
              ? isUsual
              : tileRows <= rows && (rows % tileRows == 0 || isUsual))
        tiles.push_back({tileRows, vectors});
    }
  return tiles;
}

/// Whether tiles of `tile` leave a rest, or may: there the rule is in doubt.
static bool leavesRest(int64_t size, int64_t tile) {
  return ShapedType::isDynamic(size) || size % tile != 0;
}

namespace {
/// A product, the rule's tile for it, and others.
struct Product {
  size_t site;
  bool isDoubtful;
  std::vector<Tile> tiles;
};
} // namespace

static int64_t getRows(const codegen::RulePlan &plan) {
  return plan.rowDim ? plan.sizes[*plan.rowDim] : 1;
}

/// The tiles that are neither the rule's own nor wider than the product.
static std::vector<Tile> getOtherTiles(const codegen::RulePlan &plan,
                                       const codegen::TargetModel &target) {
  int64_t columns = plan.sizes[plan.vectorDim];
  std::vector<Tile> tiles = getTiles(target, getRows(plan));
  llvm::erase_if(tiles, [&](Tile tile) {
    bool isRule =
        tile.rows == plan.rowsPerStep && tile.vectors == plan.vectorsPerStep;
    bool isWider =
        !ShapedType::isDynamic(columns) && tile.vectors * plan.lanes > columns;
    return isRule || isWider;
  });
  return tiles;
}

static std::optional<Product> getProduct(const ModelSites &model,
                                         size_t index) {
  const OpSite &site = model.sites[index];
  auto op = dyn_cast<linalg::LinalgOp>(site.ops.front());
  if (!op || !isWorthTrials(site, model, kLeastShare))
    return std::nullopt;
  std::optional<codegen::RulePlan> plan =
      codegen::planByRules(op, model.target);
  if (!plan || (plan->rule != "Contraction" && plan->rule != "DotProduct"))
    return std::nullopt;
  int64_t columns = plan->sizes[plan->vectorDim];
  bool isDoubtful = leavesRest(getRows(*plan), plan->rowsPerStep) ||
                    leavesRest(columns, plan->vectorsPerStep * plan->lanes);
  return Product{index, isDoubtful, getOtherTiles(*plan, model.target)};
}

/// The part of the steps of a loop over `size` by `step` that is not beyond its
/// end.
static double getUse(int64_t size, int64_t step) {
  if (ShapedType::isDynamic(size))
    return 1;
  int64_t steps = llvm::divideCeil(size, step);
  return double(size) / double(steps * step);
}

/// For a product or a convolution.
static std::vector<Choice> proposeInKernel(Operation *op,
                                           const codegen::TargetModel &target) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return {};
  std::optional<codegen::RulePlan> plan =
      codegen::planByRules(structured, target);
  if (!plan || (plan->rule != "Contraction" && plan->rule != "DotProduct" &&
                plan->rule != "Convolution"))
    return {};
  int64_t columns = plan->sizes[plan->vectorDim];
  std::vector<std::pair<double, Tile>> ranked;
  for (Tile tile : getOtherTiles(*plan, target)) {
    // Products for each load, without those beyond the end.
    double reuse =
        double(tile.rows * tile.vectors) / double(tile.rows + tile.vectors);
    ranked.push_back({reuse * getUse(getRows(*plan), tile.rows) *
                          getUse(columns, tile.vectors * plan->lanes),
                      tile});
  }
  llvm::stable_sort(
      ranked, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<Choice> choices;
  for (const auto &[use, tile] : ranked)
    choices.push_back({{"rows", std::to_string(tile.rows)},
                       {"vectors", std::to_string(tile.vectors)}});
  return choices;
}

static std::vector<Proposal> propose(const ModelSites &model) {
  std::vector<Proposal> proposals, together;
  // By rows and vectors: a tile for all products that can have it. One of them
  // alone may gain less than can be measured.
  std::map<std::pair<int64_t, int64_t>, Proposal> groups;
  for (size_t index = 0; index != model.sites.size(); ++index) {
    std::optional<Product> product = getProduct(model, index);
    if (!product)
      continue;
    for (Tile tile : product->tiles) {
      Choice choice = {{"rows", std::to_string(tile.rows)},
                       {"vectors", std::to_string(tile.vectors)}};
      Proposal proposal;
      proposal.choices = {{index, choice}};
      // Where nothing is left over, one good rule is within half a percent.
      proposal.success = product->isDoubtful ? 0.15 : 0.05;
      proposal.closes = kCloses;
      proposals.push_back(proposal);
      Proposal &group = groups[{tile.rows, tile.vectors}];
      group.closes = kCloses;
      group.choices.push_back({index, choice});
      group.success = std::max(product->isDoubtful ? 0.15 : 0.05,
                               group.choices.size() > 1 ? group.success : 0);
    }
  }
  for (auto &[tile, group] : groups)
    if (group.choices.size() > 1)
      together.push_back(std::move(group));
  llvm::append_range(together, proposals);
  return together;
}

Technique technique::Tiles() {
  return {codegen::choice::kTiles,
          "register tiles of matrix products",
          tuning::DecisionScope::Op,
          /*isTrusted=*/false,
          propose,
          proposeInKernel};
}
