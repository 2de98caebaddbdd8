//===- ModelCache.cpp - Compiled models on disk ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Compile/ModelCache.h"
#include "CacheFolder.h"
#include "CompilerIdentity.h"
#include "ModelFile.h"
#include "mlir-prof/Compile/Bytes.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/File.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

std::string compile::getModelKey(StringRef source, StringRef path,
                                 const CompileOptions &options) {
  // Fails to compile when a member is added, which may determine the result.
  // Those that describeOptions names are not used here.
  const auto &[entry, pipeline, target, identities, instrument, lowerProbes,
               recordValues, polynomials, maxError, isContained, choose,
               keepKernels, keepHostGraph, placedSymbol, sharesLayers, places,
               audit, onWarning, sharedConstants, embedsBitcode] = options;
  // The file does not have kernels apart from the object.
  if (choose || keepKernels || !target.hasHeap || !places.empty() || audit ||
      getCacheLimit() == 0 || !formsKernels(pipeline, target))
    return "";
  std::string bytes;
  ByteWriter key(bytes);
  key.put(StringRef(kModelMagic));
  key.put(describeOptions(options));
  key.put(source);
  key.put(path);
  key.put(entry);
  key.put(uint64_t(instrument.has_value()));
  key.put(instrument.value_or(""));
  key.put(lowerProbes);
  key.put(uint64_t(recordValues));
  key.put(uint64_t(isContained));
  key.put(uint64_t(sharesLayers));
  return contentHash(bytes);
}

std::optional<CompiledModel> compile::findModel(StringRef key,
                                                BuildWarnings &warnings) {
  PROF_SCOPE("read cached model");
  std::shared_ptr<MemoryBuffer> buffer = readCached(key);
  if (!buffer)
    return std::nullopt;
  std::optional<CompiledModel> model =
      parseModel(buffer->getBuffer(), warnings);
  if (model)
    model->storage = std::move(buffer);
  return model;
}

void compile::keepModel(StringRef key, const CompiledModel &model,
                        const BuildWarnings &warnings,
                        function_ref<Error()> check) {
  PROF_SCOPE("cache model");
  uint64_t bytes = model.object.size();
  for (const ExternalConstant &constant : model.constants)
    bytes += constant.bytes.size();
  // A few large models would leave no room for kernels.
  if (bytes > getCacheLimit() / 4 || !model.losses.empty())
    return;
  // Others cannot be read.
  if (any_of(model.constants, [](const ExternalConstant &constant) {
        return constant.alignment > kMostAlignment;
      }))
    return;
  writeCached(key, Pruning::Now, [&](raw_ostream &os) {
    writeModel(model, warnings, os);
    return check ? check() : Error::success();
  });
}
