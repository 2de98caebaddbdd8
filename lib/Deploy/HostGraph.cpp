//===- HostGraph.cpp - Reading the dispatches of a model ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostGraph.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/PassManager.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The values of `elements`, each in `bytes` whole bytes.
static std::vector<char> unpack(mlir::DenseElementsAttr elements,
                                uint64_t bytes) {
  std::vector<char> unpacked;
  auto append = [&](const APInt &value) {
    APInt whole = value.zextOrTrunc(unsigned(bytes * 8));
    const char *data = reinterpret_cast<const char *>(whole.getRawData());
    unpacked.insert(unpacked.end(), data, data + bytes);
  };
  if (isa<mlir::FloatType>(elements.getElementType()))
    for (const APFloat &value : elements.getValues<APFloat>())
      append(value.bitcastToAPInt());
  else
    for (const APInt &value : elements.getValues<APInt>())
      append(value);
  return unpacked;
}

/// Numbers are little endian on all targets.
static std::optional<std::vector<char>> readConstant(mlir::Attribute value,
                                                     uint64_t size) {
  if (auto resource = dyn_cast<mlir::DenseResourceElementsAttr>(value)) {
    const mlir::AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() != size)
      return std::nullopt;
    return std::vector<char>(blob->getData());
  }
  if (isa<mlir::IntegerAttr, mlir::FloatAttr>(value))
    value = mlir::DenseElementsAttr::get(
        mlir::RankedTensorType::get({1},
                                    cast<mlir::TypedAttr>(value).getType()),
        value);
  auto dense = dyn_cast<mlir::DenseElementsAttr>(value);
  if (!dense || !dense.getElementType().isIntOrIndexOrFloat())
    return std::nullopt;
  auto count = uint64_t(dense.getNumElements());
  if (count == 0)
    return std::vector<char>();
  return unpack(dense, size / count);
}

static Error placeBuffers(mlir::ModuleOp module) {
  mlir::PassManager manager(module.getContext());
  auto &functions = manager.nest<mlir::func::FuncOp>();
  functions.addPass(createPlanBuffersPass({/*threads=*/1}));
  functions.addPass(createPlaceWorkspacePass());
  return succeeded(manager.run(module))
             ? Error::success()
             : inputError("model", "its buffers do not have known places");
}

Expected<HostGraph>
deploy::readHostGraph(mlir::ModuleOp module,
                      const compile::CompileOptions &options,
                      unsigned arguments) {
  auto planned =
      compile::prepareModel(mlir::OwningOpRef<mlir::ModuleOp>(module), options,
                            compile::StageForm::Planned);
  if (!planned)
    return planned.takeError();
  std::string what, where = "model";
  mlir::ScopedDiagnosticHandler handler(
      module.getContext(), [&](mlir::Diagnostic &diagnostic) {
        if (!what.empty())
          return;
        what = diagnostic.str();
        where = compile::describeLocation(diagnostic.getLocation());
      });
  if (Error error = placeBuffers(**planned))
    return std::move(error);
  auto function = compile::findEntry(**planned, options.entry);
  if (!function)
    return function.takeError();
  auto graph = extractHostGraph(*function, arguments, readConstant);
  if (failed(graph))
    return inputError(where, what, "--control=compiled takes the model.");
  return std::move(*graph);
}
