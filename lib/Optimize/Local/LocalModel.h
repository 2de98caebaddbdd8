//===- LocalModel.h - A running model with its compiler ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_LOCAL_LOCALMODEL_H
#define MLIR_PROF_LIB_OPTIMIZE_LOCAL_LOCALMODEL_H

#include "../Search/ModelBuilder.h"
#include "KernelOrigins.h"
#include "mlir-prof/Record/KernelServer.h"
#include "mlir-prof/Record/Worker.h"

#include <optional>

namespace mlirprof::optimize {

/// A kernel with choices for some of its ops.
struct KernelRequest {
  size_t kernel = 0;
  std::vector<compile::KernelChange> changes;
};

/// `request` as text, for the process that compiles it; and the reverse, which
/// fails if the text is damaged.
std::string writeRequest(const KernelRequest &request);
llvm::Expected<KernelRequest> readRequest(llvm::StringRef text);

/// A model whose kernels are replaced one by one: one process runs it, another
/// one compiles kernels. Either is started again after it ended.
class LocalModel {
public:
  /// Builds `module` with `choices`, in this process. `options` and `sites`
  /// outlive this.
  static llvm::Expected<std::unique_ptr<LocalModel>>
  create(mlir::ModuleOp module, const OptimizerOptions &options,
         const record::ServerOptions &limits, const ChoiceMap &choices);

  const compile::CompiledModel &getModel() const { return model; }
  /// The process that runs the model, with all kernels as they were kept.
  llvm::Expected<record::KernelServer *> getServer();
  /// Starts both processes again when they are next needed.
  void dropServer() { server.reset(); }

  /// Begins to compile `request`, with what was kept for its kernel's other
  /// ops.
  llvm::Error begin(KernelRequest request);
  /// Waits for the kernel; the error says why it cannot be compiled.
  llvm::Expected<compile::KernelVariant> finish();
  /// begin() and finish().
  llvm::Expected<compile::KernelVariant> compile(KernelRequest request);

  /// Notes that `variant`, which has `request`, is the incumbent of its kernel.
  void keep(const KernelRequest &request, compile::KernelVariant variant);
  /// The hash of the code that the dispatches of `kernel` run; empty if it is
  /// not known.
  llvm::StringRef getFingerprint(size_t kernel) const;

private:
  LocalModel(compile::CompiledModel model, const OptimizerOptions &options,
             const record::ServerOptions &limits)
      : model(std::move(model)), options(options), limits(limits) {}

  struct Kept {
    KernelRequest request;
    compile::KernelVariant variant;
  };

  compile::CompiledModel model;
  const OptimizerOptions &options;
  record::ServerOptions limits;
  std::unique_ptr<record::KernelServer> server;
  std::unique_ptr<record::Worker> worker;
  std::map<size_t, Kept> kept;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_LOCAL_LOCALMODEL_H
