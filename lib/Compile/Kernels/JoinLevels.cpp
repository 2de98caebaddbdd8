//===- JoinLevels.cpp - Stored levels of a model and its kernels ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../KeptLevels.h"
#include "KernelCompiler.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Module/StoredLevel.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Workers.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Threading.h"

#include <atomic>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::module;
using namespace mlirprof::profile;

static const IrModule *findLevel(llvm::ArrayRef<IrModule> levels,
                                 llvm::StringRef name) {
  const auto *found = llvm::find_if(
      levels, [&](const IrModule &level) { return level.level == name; });
  return found == levels.end() ? nullptr : found;
}

namespace {
/// Gives ops of kernels, which were compiled without locations, those of their
/// nodes.
class Locator {
public:
  Locator(const Program &program, StringRef level) : program(program) {
    for (const ProgramNode &node : program.nodes)
      if (program.levels[node.level] == level && node.position != trace::kNone)
        nodes.try_emplace(node.position, &node);
  }

  void run(Operation *root, uint32_t position) const {
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (const ProgramNode *node = nodes.lookup(position++))
        if (isa<UnknownLoc>(prof::removeIdentities(op->getLoc())))
          op->setLoc(makeLocation(*node, op->getContext()));
    });
  }

private:
  Location makeLocation(const ProgramNode &node, MLIRContext *context) const {
    Location location = UnknownLoc::get(context);
    if (node.file != 0)
      location = FileLineColLoc::get(context, program.strings[node.file],
                                     node.line, 0);
    if (node.name == 0)
      return location;
    return NameLoc::get(StringAttr::get(context, program.strings[node.name]),
                        location);
  }

  const Program &program;
  llvm::DenseMap<uint32_t, const ProgramNode *> nodes;
};
} // namespace

/// Appends the modules of `kernels` at the level of `host` to `module`, which
/// becomes the bytecode of `host`.
static llvm::Error appendLevel(llvm::ArrayRef<KernelLevels> kernels,
                               const Program &program, ModuleOp module,
                               IrModule &host) {
  auto position = uint32_t(host.operations);
  Locator locator(program, host.level);
  for (const KernelLevels &kernel : kernels) {
    const IrModule *own = findLevel(kernel.levels, host.level);
    if (!own)
      continue;
    OwningOpRef<ModuleOp> code = readOwnLevel(*own, *module.getContext());
    if (!code)
      return inputError("level '" + host.level + "' of kernel '" +
                            kernel.symbol + "'",
                        "it cannot be read back");
    code->setSymName(kernel.symbol + "_code");
    // It is that of the module around it. MLIR's verifier crashes at layouts
    // within one another.
    (*code)->removeAttr(DLTIDialect::kDataLayoutAttrName);
    locator.run(*code, position);
    module.push_back(code.release());
    for (ElidedValues value : own->values) {
      value.op += position;
      host.values.push_back(value);
    }
    host.elided += own->elided;
    position += uint32_t(own->operations);
  }
  // All parts were shortened before, so there is nothing to leave out.
  host.operations = position;
  return setBytecode(host, module);
}

/// The same for the module of which `host` has the bytecode.
static llvm::Error appendToStored(llvm::ArrayRef<KernelLevels> kernels,
                                  const Program &program, MLIRContext &context,
                                  IrModule &host) {
  OwningOpRef<ModuleOp> module = readOwnLevel(host, context);
  if (!module)
    return inputError("level '" + host.level + "'", "it cannot be read back");
  return appendLevel(kernels, program, *module, host);
}

/// The first of `errors`, which are as many as there was work.
static llvm::Error
takeFirst(llvm::MutableArrayRef<std::optional<llvm::Error>> errors) {
  llvm::Error first = llvm::Error::success();
  for (std::optional<llvm::Error> &error : errors) {
    if (!error)
      continue;
    if (first)
      llvm::consumeError(std::move(*error));
    else
      first = std::move(*error);
  }
  return first;
}

namespace {
/// Appends the levels of kernels to those of the host side, each level on one
/// thread, in a context of its own.
class LevelJoiner {
public:
  explicit LevelJoiner(const CompiledModel &model);

  llvm::Expected<std::vector<IrModule>> run();

private:
  void work();

  const CompiledModel &model;
  std::vector<IrModule> levels;
  /// Those that kernels have, the largest first.
  std::vector<size_t> joined;
  std::vector<std::optional<llvm::Error>> errors;
  std::atomic<size_t> next{0};
};
} // namespace

LevelJoiner::LevelJoiner(const CompiledModel &model)
    : model(model), levels(model.irModules) {
  std::vector<uint64_t> sizes(levels.size());
  for (auto [index, host] : llvm::enumerate(levels)) {
    bool isJoined = false;
    sizes[index] = host.operations;
    for (const KernelLevels &kernel : model.kernels)
      if (const IrModule *own = findLevel(kernel.levels, host.level)) {
        isJoined = true;
        sizes[index] += own->operations;
      }
    if (isJoined)
      joined.push_back(index);
  }
  llvm::stable_sort(joined,
                    [&](size_t a, size_t b) { return sizes[a] > sizes[b]; });
  errors.resize(joined.size());
}

void LevelJoiner::work() {
  std::optional<MLIRContext> context;
  for (size_t i = next++; i < joined.size(); i = next++) {
    if (!context)
      prepareKernelContext(&context.emplace(MLIRContext::Threading::DISABLED));
    errors[i].emplace(appendToStored(model.kernels, model.program, *context,
                                     levels[joined[i]]));
  }
}

llvm::Expected<std::vector<IrModule>> LevelJoiner::run() {
  {
    Workers threads;
    size_t processors =
        std::max(1u, llvm::hardware_concurrency().compute_thread_count());
    for (size_t i = 1, e = std::min(processors, joined.size()); i < e; ++i)
      if (!threads.start([this] { work(); }))
        break;
    work();
    threads.join();
  }
  if (llvm::Error error = takeFirst(errors))
    return std::move(error);
  return std::move(levels);
}

llvm::Expected<std::vector<IrModule>>
compile::joinLevels(const CompiledModel &model) {
  if (model.kernels.empty())
    return model.irModules;
  PROF_SCOPE("join levels");
  return LevelJoiner(model).run();
}

namespace {
/// Levels of the host side that are still modules, and the threads that append
/// kernels to them. Outlives them.
struct OpenLevels {
  void work();

  std::vector<KeptLevel> levels;
  std::vector<KernelLevels> kernels;
  const Program &program;
  std::vector<std::optional<llvm::Error>> errors;
  std::atomic<size_t> next{0};
};
} // namespace

void OpenLevels::work() {
  for (size_t i = next++; i < levels.size(); i = next++) {
    KeptLevel &level = levels[i];
    if (!level.module)
      continue;
    errors[i].emplace(
        appendLevel(kernels, program, *level.module, level.stored));
    level.module = nullptr;
  }
}

llvm::Error compile::joinOpenLevels(std::vector<KeptLevel> levels,
                                    CompiledModel &model,
                                    BackgroundThread &background) {
  PROF_SCOPE("join levels");
  size_t count = levels.size();
  OpenLevels open{std::move(levels), std::move(model.kernels), model.program,
                  std::vector<std::optional<llvm::Error>>(count)};
  model.kernels.clear();
  background.add([&] { open.work(); });
  open.work();
  background.wait();
  if (llvm::Error error = takeFirst(open.errors))
    return error;
  model.irModules.clear();
  for (KeptLevel &level : open.levels)
    model.irModules.push_back(std::move(level.stored));
  return llvm::Error::success();
}
