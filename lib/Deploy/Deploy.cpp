//===- Deploy.cpp - Packaging a model for a target ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Deploy/Deploy.h"
#include "Devices.h"
#include "Plan.h"
#include "Regions.h"
#include "Shapes.h"
#include "Variants.h"
#include "mlir-prof/Codegen/Target.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

/// Counts the bytes that `part` occupies in a program.
static Error measure(PackageObject &part) {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(part.object, part.name));
  if (!file)
    return file.takeError();
  for (object::ELFSectionRef section : (*file)->sections()) {
    uint64_t flags = section.getFlags();
    // Unwinding tables and the like are not code of the model.
    if (!(flags & ELF::SHF_ALLOC) || section.getType() == ELF::SHT_NOTE)
      continue;
    uint64_t &bytes = flags & ELF::SHF_EXECINSTR ? part.sizes.code
                      : flags & ELF::SHF_WRITE   ? part.sizes.variables
                                                 : part.sizes.constants;
    bytes += section.getSize();
  }
  return Error::success();
}

/// Arrays whose sizes callers cannot know are not passed.
static Error checkSizes(const compile::Signature &signature) {
  for (const auto *values : {&signature.arguments, &signature.results})
    for (const compile::ValueSignature &value : *values)
      if (is_contained(value.shape, mlir::ShapedType::kDynamic))
        return inputError("'" + value.name + "'",
                          "has a dimension of unknown size, for which memory "
                          "cannot be planned",
                          "Export the model with sizes that are known.");
  return Error::success();
}

static Error checkMemory(const DeployedModel &model) {
  if (model.target.addressBits == 64 ||
      model.arenaBytes >> model.target.addressBits == 0)
    return Error::success();
  return inputError("the model",
                    "needs " + Twine(model.arenaBytes) +
                        " bytes for its buffers, more than " +
                        model.targetName + " can address",
                    "Choose a target with longer addresses.");
}

/// An index has the width of an address.
static void setIndexBytes(compile::Signature &signature,
                          const codegen::TargetModel &target) {
  for (auto *values : {&signature.arguments, &signature.results})
    for (compile::ValueSignature &value : *values)
      if (value.elementType == "index")
        value.bytesPerElement = target.addressBits / 8;
}

/// The parts of `model` that its control does not make.
static void takeParts(compile::CompiledModel compiled, DeployedModel &model) {
  model.signature = std::move(compiled.signature);
  setIndexBytes(model.signature, model.target);
  model.arenaBytes = compiled.arenaBytes;
  model.firstState = std::move(compiled.firstState);
  model.graph = std::move(compiled.hostGraph);
  if (!model.graph)
    model.objects.push_back({"host", std::move(compiled.object)});
  for (compile::KernelCode &kernel : compiled.kernelCode)
    model.objects.push_back({kernel.symbol, std::move(kernel.object)});
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

static Error checkVariants(const Control &control) {
  return control.needsGraph
             ? usageError("--variants needs a host side that is code: "
                          "--control=compiled")
             : Error::success();
}

/// All processors of the target, for code that every variant needs.
static void setLeastProcessor(codegen::TargetModel &target) {
  target.cpu = Triple(target.triple).isX86() ? "x86-64" : "generic";
  target.features.clear();
}

/// Adds the code of `variant`, all of which have the same interface.
static Error addVariant(mlir::ModuleOp module, const Variant &variant,
                        compile::CompileOptions options, DeployedModel &model) {
  codegen::TargetModel target = variant.target;
  target.goal = options.target.goal;
  target.isMovable = options.target.isMovable;
  options.target = target;
  options.placedSymbol = getVariantSymbol(model.name, variant.name);
  options.sharedConstants = model.name;
  auto compiled = compile::compileModel(
      mlir::OwningOpRef<mlir::ModuleOp>(module.clone()), options);
  if (!compiled)
    return compiled.takeError();
  addSharedConstants(compiled->constants, model);
  uint64_t arenaBytes = std::max(model.arenaBytes, compiled->arenaBytes);
  model.variants.push_back({{variant.name, target}, compiled->arenaBytes});
  size_t first = model.objects.size();
  takeParts(std::move(*compiled), model);
  model.arenaBytes = arenaBytes;
  for (PackageObject &part : MutableArrayRef(model.objects).drop_front(first)) {
    part.variant = variant.name;
    part.name = options.placedSymbol + "_" + part.name;
  }
  return Error::success();
}

static Error addVariants(mlir::ModuleOp module, ArrayRef<Variant> variants,
                         const compile::CompileOptions &options,
                         DeployedModel &model) {
  setLeastProcessor(model.target);
  for (const Variant &variant : variants)
    if (Error error = addVariant(module, variant, options, model))
      return error;
  if (Error error = addConstantObject(model))
    return error;
  return addVariantChoice(model);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static Error checkRanges(const Control &control,
                         const PackageChoices &choices) {
  if (control.needsGraph)
    return usageError("a range of sizes in --shape needs a host side that is "
                      "code: --control=compiled");
  return choices.variants.empty()
             ? Error::success()
             : usageError("--variants does not go with a range of sizes in "
                          "--shape");
}

/// Adds the code for `sizes`, without kernels that are there.
static Error addSizedCode(mlir::OwningOpRef<mlir::ModuleOp> module,
                          const ShapePlan &plan, ArrayRef<int64_t> sizes,
                          compile::CompileOptions options,
                          DeployedModel &model) {
  if (Error error = setShapes(*module, options.entry, plan, sizes))
    return error;
  options.placedSymbol =
      model.name + "_sizes_" + std::to_string(model.sizedCode.size());
  options.sharedConstants = model.name;
  auto compiled = compile::compileModel(std::move(module), options);
  if (!compiled)
    return compiled.takeError();
  addSharedConstants(compiled->constants, model);
  uint64_t arenaBytes = std::max(model.arenaBytes, compiled->arenaBytes);
  std::vector<PackageObject> before = std::move(model.objects);
  model.objects.clear();
  takeParts(std::move(*compiled), model);
  model.objects.front().name = options.placedSymbol;
  for (PackageObject &part : model.objects)
    if (none_of(before, [&](const PackageObject &other) {
          return other.name == part.name;
        }))
      before.push_back(std::move(part));
  model.objects = std::move(before);
  model.arenaBytes = arenaBytes;
  model.sizedCode.push_back(
      {sizes.vec(), options.placedSymbol, model.signature});
  return Error::success();
}

/// Adds the code for each choice of sizes; the interface is that of the largest
/// ones, which come last.
static Error addAllSizes(mlir::ModuleOp module, const ShapePlan &plan,
                         const compile::CompileOptions &options,
                         DeployedModel &model) {
  auto all = listSizes(plan.sizes);
  if (!all)
    return all.takeError();
  model.sizes = plan.sizes;
  for (const std::vector<int64_t> &sizes : *all)
    if (Error error =
            addSizedCode(mlir::OwningOpRef<mlir::ModuleOp>(module.clone()),
                         plan, sizes, options, model))
      return error;
  if (Error error = addConstantObject(model))
    return error;
  return addSizeChoice(model);
}

/// The code of a model whose sizes are known.
static Error addCode(mlir::OwningOpRef<mlir::ModuleOp> module,
                     ArrayRef<Variant> variants,
                     const compile::CompileOptions &options,
                     DeployedModel &model) {
  auto signature = compile::getModelSignature(*module, options.entry);
  if (!signature)
    return signature.takeError();
  if (Error error = checkSizes(*signature))
    return error;
  if (!variants.empty())
    return addVariants(*module, variants, options, model);
  auto compiled = compile::compileModel(std::move(module), options);
  if (!compiled)
    return compiled.takeError();
  takeParts(std::move(*compiled), model);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

Expected<DeployedModel>
deploy::deployModel(mlir::OwningOpRef<mlir::ModuleOp> module, StringRef name,
                    StringRef targetName, compile::CompileOptions options,
                    const Control &control, const PackageChoices &choices) {
  if (!choices.variants.empty())
    if (Error error = checkVariants(control))
      return std::move(error);
  if (!options.places.empty() && !control.needsGraph)
    return usageError("--place needs a host side of dispatches: "
                      "--control=none, c or bytecode");
  if (control.yields && !control.needsGraph)
    return usageError("--yield needs a host side of dispatches: "
                      "--control=none, c or bytecode");
  options.keepKernels = true;
  options.identities = false;
  options.keepHostGraph = control.needsGraph;
  options.placedSymbol = name.str();
  auto signature = compile::getModelSignature(*module, options.entry);
  if (!signature)
    return signature.takeError();
  auto plan = planShapes(*signature, choices.shapes, choices.onNote);
  if (!plan)
    return plan.takeError();
  if (!plan->sizes.empty())
    if (Error error = checkRanges(control, choices))
      return std::move(error);
  DeployedModel model;
  model.name = name.str();
  model.targetName = targetName.str();
  model.target = options.target;
  model.hasChecks = !codegen::isBareMetal(model.target);
  model.controlName = control.name.str();
  model.yields = control.yields;
  if (!plan->sizes.empty()) {
    if (Error error = addAllSizes(*module, *plan, options, model))
      return std::move(error);
  } else {
    if (Error error = setShapes(*module, options.entry, *plan, {}))
      return std::move(error);
    if (Error error =
            addCode(std::move(module), choices.variants, options, model))
      return std::move(error);
  }
  if (Error error = checkMemory(model))
    return std::move(error);
  if (model.graph)
    if (Error error = placeOnDevices(model))
      return std::move(error);
  if (Error error = control.apply(model))
    return std::move(error);
  if (Error error = addReset(model))
    return std::move(error);
  for (PackageObject &part : model.objects)
    if (Error error = measure(part))
      return std::move(error);
  if (Error error = setRegions(model))
    return std::move(error);
  return std::move(model);
}
