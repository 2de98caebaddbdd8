//===- LocalModel.cpp - A running model with its compiler -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalModel.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

// Lines: the kernel; for each change its technique and ops, and a line for each
// parameter. Names and values do not have spaces.

std::string optimize::writeRequest(const KernelRequest &request) {
  std::string text = std::to_string(request.kernel) + "\n";
  for (const KernelChange &change : request.changes) {
    text += "change " + change.technique;
    for (uint32_t op : change.ops)
      text += " " + std::to_string(op);
    text += "\n";
    for (const auto &[name, value] : change.parameters)
      text += "set " + name + " " + value + "\n";
  }
  return text;
}

llvm::Expected<KernelRequest> optimize::readRequest(llvm::StringRef text) {
  auto damaged = [] {
    return inputError("a request for a kernel", "is damaged");
  };
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  KernelRequest request;
  if (lines.empty() || !llvm::to_integer(lines.front(), request.kernel, 10))
    return damaged();
  for (llvm::StringRef line : llvm::drop_begin(lines)) {
    llvm::SmallVector<llvm::StringRef> words;
    line.split(words, ' ');
    if (words.size() >= 2 && words.front() == "change") {
      KernelChange &change = request.changes.emplace_back();
      change.technique = words[1].str();
      for (llvm::StringRef word : llvm::drop_begin(words, 2))
        if (!llvm::to_integer(word, change.ops.emplace_back(), 10))
          return damaged();
    } else if (words.size() == 3 && words.front() == "set" &&
               !request.changes.empty()) {
      request.changes.back().parameters[words[1].str()] = words[2].str();
    } else {
      return damaged();
    }
  }
  return request;
}

//===----------------------------------------------------------------------===//
// LocalModel
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<LocalModel>>
LocalModel::create(mlir::ModuleOp module, const OptimizerOptions &options,
                   const ServerOptions &limits, const ChoiceMap &choices) {
  PROF_SCOPE("build for local trials");
  CompileOptions compile = options.compile;
  compile.identities = true;
  compile.keepKernels = true;
  compile.recordValues = false;
  compile.instrument.reset();
  compile.audit = nullptr;
  compile.onWarning = nullptr;
  compile.choose = chooseAndNumber(choices);
  auto model =
      compileModel(mlir::OwningOpRef<mlir::ModuleOp>(module.clone()), compile);
  if (!model)
    return model.takeError();
  return std::unique_ptr<LocalModel>(
      new LocalModel(std::move(*model), options, limits));
}

llvm::Expected<KernelServer *> LocalModel::getServer() {
  if (server)
    return server.get();
  PROF_SCOPE("start model");
  auto started = KernelServer::start([&] { return std::move(model); },
                                     options.requests, limits);
  if (!started)
    return started.takeError();
  for (const auto &[kernel, code] : kept) {
    if (llvm::Error error = (*started)->load(kernel, code.variant))
      return std::move(error);
    if (llvm::Error error = (*started)->keep(kernel, KernelChoice::Candidate))
      return std::move(error);
  }
  server = std::move(*started);
  return server.get();
}

/// In the process that compiles.
static llvm::Expected<std::string> compileRequest(const CompiledModel &model,
                                                  KernelVariants &variants,
                                                  llvm::StringRef text) {
  auto request = readRequest(text);
  if (!request)
    return request.takeError();
  if (request->kernel >= model.kernelCode.size())
    return inputError("a request for a kernel", "is damaged");
  auto variant =
      variants.compile(model.kernelCode[request->kernel], request->changes);
  if (!variant)
    return variant.takeError();
  return writeKernelVariant(*variant);
}

llvm::Error LocalModel::begin(KernelRequest request) {
  auto known = kept.find(request.kernel);
  if (known != kept.end()) {
    // Later changes take the place of earlier ones of the same op.
    std::vector<KernelChange> changes = known->second.request.changes;
    llvm::append_range(changes, std::move(request.changes));
    request.changes = std::move(changes);
  }
  if (!worker) {
    PROF_SCOPE("start compiler");
    KernelVariants variants(options.compile);
    auto started = Worker::start(
        [&](llvm::StringRef text) {
          return compileRequest(model, variants, text);
        },
        limits);
    if (!started)
      return started.takeError();
    worker = std::move(*started);
  }
  return worker->begin(writeRequest(request));
}

llvm::Expected<KernelVariant> LocalModel::finish() {
  PROF_SCOPE("wait for compiler");
  auto answer = worker->finish();
  if (answer)
    return readKernelVariant(*answer);
  if (!worker->isAlive())
    worker.reset();
  return answer.takeError();
}

llvm::Expected<KernelVariant> LocalModel::compile(KernelRequest request) {
  if (llvm::Error error = begin(std::move(request)))
    return std::move(error);
  return finish();
}

void LocalModel::keep(const KernelRequest &request, KernelVariant variant) {
  Kept &entry = kept[request.kernel];
  entry.request.kernel = request.kernel;
  for (const KernelChange &change : request.changes) {
    llvm::erase_if(entry.request.changes, [&](const KernelChange &earlier) {
      return earlier.technique == change.technique && earlier.ops == change.ops;
    });
    entry.request.changes.push_back(change);
  }
  entry.variant = std::move(variant);
}

llvm::StringRef LocalModel::getFingerprint(size_t kernel) const {
  auto known = kept.find(kernel);
  return known == kept.end()
             ? llvm::StringRef()
             : llvm::StringRef(known->second.variant.fingerprint);
}
