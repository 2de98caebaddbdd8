//===- KernelVariants.cpp - Kernels with other choices --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Compile/KernelVariants.h"
#include "../StageRunner.h"
#include "KernelCache.h"
#include "TakeKernels.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

KernelVariants::KernelVariants(const CompileOptions &given) : options(given) {
  options.identities = false;
  options.keepKernels = true;
  options.recordValues = false;
  options.instrument.reset();
  options.choose = nullptr;
  options.audit = nullptr;
  options.onWarning = nullptr;
}

KernelVariants::~KernelVariants() = default;

KernelWorkshop &KernelVariants::getWorkshop() {
  if (!workshop)
    workshop = std::make_unique<KernelWorkshop>();
  return *workshop;
}

void compile::forEachKernelOp(
    ModuleOp kernel,
    llvm::function_ref<void(uint32_t number, Operation *op)> visit) {
  uint32_t number = 0;
  for (auto function : kernel.getOps<func::FuncOp>())
    function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (prof::needsIdentity(op))
        visit(number++, op);
    });
}

llvm::Expected<OwningOpRef<ModuleOp>>
compile::readKernel(StringRef bytecode, MLIRContext &context) {
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(bytecode, config);
  if (!module)
    return inputError("a kernel", "it cannot be read back");
  return std::move(module);
}

/// Puts `change` on its ops.
static llvm::Error apply(const KernelChange &change, ModuleOp module) {
  SmallVector<Operation *> ops;
  forEachKernelOp(module, [&](uint32_t number, Operation *op) {
    if (llvm::is_contained(change.ops, number))
      ops.push_back(op);
  });
  if (ops.size() != change.ops.size())
    return inputError("a choice", "it is for an op that the kernel lacks");
  for (Operation *op : ops)
    setChoice(op, change.technique, change.parameters);
  return llvm::Error::success();
}

/// Makes the products of `module` read their constants in the order that suits
/// their choices.
static llvm::Error repack(ModuleOp module, const KernelCode &kernel,
                          const TargetModel &target,
                          std::vector<RepackedArgument> &repacked) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (op->hasAttr(kChoiceAttribute))
      ops.push_back(op);
  });
  for (linalg::LinalgOp op : ops) {
    std::optional<RepackedArgument> argument = repackArgument(op, target);
    if (!argument)
      continue;
    if (argument->index >= kernel.isConstant.size() ||
        !kernel.isConstant[argument->index])
      return inputError("a choice",
                        "it needs another order of elements that are computed");
    repacked.push_back(*argument);
  }
  return llvm::Error::success();
}

/// The hash of the sections of `object` that hold code.
static llvm::Expected<std::string> hashCode(StringRef object) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(object, "a kernel"));
  if (!file)
    return file.takeError();
  std::string text;
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    if (!section.isText())
      continue;
    auto contents = section.getContents();
    if (!contents)
      return contents.takeError();
    text += *contents;
  }
  return contentHash(text);
}

llvm::Expected<KernelVariant>
KernelVariants::compile(const KernelCode &kernel,
                        llvm::ArrayRef<KernelChange> changes) {
  auto module = readKernel(kernel.bytecode, *getWorkshop().context);
  if (!module)
    return module.takeError();
  for (const KernelChange &change : changes)
    if (llvm::Error error = apply(change, **module))
      return std::move(error);
  KernelVariant variant;
  if (!changes.empty())
    if (llvm::Error error =
            repack(**module, kernel, getRuleTarget(options), variant.repacked))
      return std::move(error);
  auto source = makeKernelSource(kernel.name, **module, options);
  if (!source)
    return source.takeError();
  auto compiled = findOrCompile(
      *source, options, [&]() -> KernelWorkshop & { return getWorkshop(); });
  if (!compiled)
    return compiled.takeError();
  auto fingerprint = hashCode(compiled->object);
  if (!fingerprint)
    return fingerprint.takeError();
  variant.fingerprint = std::move(*fingerprint);
  variant.object = std::move(compiled->object);
  variant.symbol = source->symbol;
  variant.usesOpenMP = compiled->usesOpenMP;
  variant.phases = std::move(compiled->phases);
  return std::move(variant);
}
