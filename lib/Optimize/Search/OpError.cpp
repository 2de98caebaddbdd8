//===- OpError.cpp - The error of one op by a choice ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpError.h"
#include "mlir-prof/Optimize/ResultCheck.h"
#include "mlir-prof/Optimize/SingleOp.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Support/Error.h"

#include <limits>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

/// Whether the op has the same signature where it stands alone: else the choice
/// would not reach it, and its error would be that of another algorithm.
static bool isFoundAlone(mlir::ModuleOp alone, const OpSite &site,
                         const CompileOptions &compile) {
  CompileOptions plain = compile;
  plain.identities = false;
  auto canonical =
      prepareModel(mlir::OwningOpRef<mlir::ModuleOp>(alone.clone()), plain,
                   StageForm::Canonical);
  if (!canonical) {
    llvm::consumeError(canonical.takeError());
    return false;
  }
  return llvm::any_of(getSignatures(**canonical), [&](const SignedOp &entry) {
    return entry.signature.exact == site.signature.exact;
  });
}

llvm::Expected<std::optional<double>>
optimize::measureOpError(const ModelBuilder &builder,
                         const CompileOptions &options, const OpSite &site,
                         llvm::StringRef technique, const Choice &choice) {
  constexpr double kRunSeconds = 30;
  // Step 1: a module with nothing but the op, and two ways to build it.
  mlir::OwningOpRef<mlir::ModuleOp> alone = isolateOp(site.ops.front());
  if (!alone)
    return std::nullopt;
  BuildSetup exact = {options, kRunSeconds};
  exact.compile.entry = "";
  exact.compile.choose = nullptr;
  exact.compile.pipeline = "naive";
  BuildSetup chosen = exact;
  chosen.compile.pipeline = options.pipeline;
  if (!isFoundAlone(*alone, site, exact.compile))
    return std::nullopt;
  chosen.compile.choose =
      chooseBy({{site.signature.exact, {{technique.str(), choice}}}});
  // Step 2: the results of both for the same arguments.
  auto signature = getModelSignature(*alone, "");
  if (!signature)
    return signature.takeError();
  auto requests = makeArguments(*signature, {}, {});
  if (!requests)
    return requests.takeError();
  std::vector<ModelResults> results;
  for (const BuildSetup *setup : {&exact, &chosen}) {
    auto server = builder.build(*alone, *setup, *requests);
    if (!server)
      return server.takeError();
    auto got = (*server)->getResults();
    if (!got)
      return got.takeError();
    results.push_back(std::move(*got));
  }
  // Step 3: how far they are apart.
  ResultCheck check =
      checkResults(results[1], results[0], std::numeric_limits<double>::max());
  if (!check.isRight())
    return inputError(site.label, check.reason);
  return check.error;
}
