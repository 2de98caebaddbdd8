//===- Sites.h - Sites of passes and ops ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PASSSCOPE_SITES_H
#define MLIR_PROF_LIB_PASSSCOPE_SITES_H

#include "mlir-prof/Scope/Scope.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"

namespace mlirprof::passscope {

/// Sites by what they stand for. Not for several threads at once. Lives as long
/// as the context of its ops: it compares what the context has unique.
class Sites {
public:
  explicit Sites(int level);

  /// That of a name of `id`, a class of passes or analyses; classes may have
  /// several names.
  prof_scope_site &getNamed(mlir::TypeID id, llvm::StringRef name,
                            scope::ScopeRole role);
  prof_scope_site &getPipeline(const mlir::Pass &adaptor, bool mayCache);
  prof_scope_site &getOp(mlir::Operation &op);
  /// Also for several threads at once.
  prof_scope_site &getVerifier() { return verifier; }
  /// Forgets what cannot be compared when another run begins.
  void beginRun() { pipelines.clear(); }

private:
  struct Named {
    prof_scope_site site;
    llvm::StringRef name;
    Named *next;
  };

  prof_scope_site makeSite(llvm::StringRef name, scope::ScopeType type,
                           scope::ScopeRole role);
  prof_scope_site *makeOpSite(mlir::Operation &op, mlir::StringAttr symbol);

  uint8_t level;
  prof_scope_site verifier;
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver strings{memory};
  llvm::DenseMap<mlir::TypeID, Named *> named;
  llvm::DenseMap<const mlir::Pass *, prof_scope_site *> pipelines;
  /// By name of the op, symbol and location.
  llvm::DenseMap<std::tuple<const void *, const void *, const void *>,
                 prof_scope_site *>
      ops;
};

/// Whether `pass` is MLIR's own that runs pipelines on ops inside of an op.
bool isAdaptor(const mlir::Pass &pass);

} // namespace mlirprof::passscope

#endif // MLIR_PROF_LIB_PASSSCOPE_SITES_H
