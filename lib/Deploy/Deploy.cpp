//===- Deploy.cpp - Packaging a model for a target ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Deploy/Deploy.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Object/ELFObjectFile.h"

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
    uint64_t &bytes = flags & ELF::SHF_EXECINSTR ? part.codeBytes
                      : flags & ELF::SHF_WRITE   ? part.variableBytes
                                                 : part.constantBytes;
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

Expected<DeployedModel>
deploy::deployModel(mlir::OwningOpRef<mlir::ModuleOp> module, StringRef name,
                    StringRef targetName, compile::CompileOptions options) {
  options.keepKernels = true;
  options.identities = false;
  options.placedSymbol = name.str();
  auto signature = compile::getModelSignature(*module, options.entry);
  if (!signature)
    return signature.takeError();
  if (Error error = checkSizes(*signature))
    return std::move(error);
  auto compiled = compile::compileModel(std::move(module), options);
  if (!compiled)
    return compiled.takeError();
  DeployedModel model;
  model.name = name.str();
  model.targetName = targetName.str();
  model.target = options.target;
  model.signature = std::move(compiled->signature);
  model.arenaBytes = compiled->arenaBytes;
  if (Error error = checkMemory(model))
    return std::move(error);
  model.objects.push_back({"host", std::move(compiled->object)});
  for (compile::KernelCode &kernel : compiled->kernelCode)
    model.objects.push_back({kernel.symbol, std::move(kernel.object)});
  for (PackageObject &part : model.objects)
    if (Error error = measure(part))
      return std::move(error);
  return std::move(model);
}
