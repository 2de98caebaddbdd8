//===- KernelOrigins.cpp - Sites of the ops of kernels --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelOrigins.h"
#include "mlir-prof/Optimize/Optimizer.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Transforms/Identity.h"
#include "llvm/ADT/DenseMap.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static constexpr llvm::StringLiteral kCanonicalLevel = "canonical";

std::function<llvm::Error(mlir::ModuleOp)>
optimize::chooseAndNumber(ChoiceMap choices) {
  return [choose = chooseBy(std::move(choices))](
             mlir::ModuleOp canonical) -> llvm::Error {
    if (llvm::Error error = choose(canonical))
      return error;
    if (mlir::failed(transforms::snapshotLevel(canonical, kCanonicalLevel)))
      return inputError("the model", "its ops cannot be numbered");
    return llvm::Error::success();
  };
}

namespace {
/// Goes from the nodes of a program up to sites.
class OriginFinder {
public:
  OriginFinder(const Program &program, const ModelSites &sites);

  void add(uint32_t node, std::set<size_t> &found);

private:
  const Program &program;
  /// The level of the canonical form.
  size_t level;
  /// By position in the canonical form.
  llvm::DenseMap<uint32_t, size_t> siteAt;
};
} // namespace

OriginFinder::OriginFinder(const Program &program, const ModelSites &sites)
    : program(program),
      level(size_t(llvm::find(program.levels, kCanonicalLevel) -
                   program.levels.begin())) {
  llvm::DenseMap<mlir::Operation *, size_t> siteOf;
  for (auto [index, site] : llvm::enumerate(sites.sites))
    for (mlir::Operation *op : site.ops)
      siteOf[op] = index;
  uint32_t position = 0;
  mlir::ModuleOp module = sites.module;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (auto site = siteOf.find(op); site != siteOf.end())
      siteAt[position] = site->second;
    ++position;
  });
}

/// Adds the sites of `node`, whose level is that of the canonical form or a
/// later one. Parents are at earlier levels, so this ends.
void OriginFinder::add(uint32_t node, std::set<size_t> &found) {
  if (node >= program.nodes.size())
    return;
  const ProgramNode &from = program.nodes[node];
  if (from.level == level) {
    if (auto site = siteAt.find(from.position); site != siteAt.end())
      found.insert(site->second);
  } else if (from.level > level) {
    for (uint32_t parent : from.parents)
      add(parent, found);
  }
}

std::map<KernelOp, std::vector<size_t>>
optimize::findKernelOrigins(const CompiledModel &model,
                            const ModelSites &sites) {
  OriginFinder finder(model.program, sites);
  llvm::DenseMap<uint32_t, size_t> kernelAt;
  for (auto [index, code] : llvm::enumerate(model.kernelCode))
    if (code.node != kNone)
      kernelAt[code.node] = index;
  std::map<KernelOp, std::set<size_t>> found;
  for (const ProgramInstance &instance : model.program.instances) {
    auto kernel = kernelAt.find(instance.kernel);
    if (kernel == kernelAt.end())
      continue;
    for (auto [node, origin] : instance.origins)
      if (node > instance.kernel)
        finder.add(origin, found[{kernel->second, node - instance.kernel - 1}]);
  }
  std::map<KernelOp, std::vector<size_t>> origins;
  for (auto &[op, from] : found)
    if (!from.empty())
      origins[op].assign(from.begin(), from.end());
  return origins;
}
