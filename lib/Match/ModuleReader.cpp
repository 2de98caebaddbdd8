//===- ModuleReader.cpp - Reading modules ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Match/ModuleReader.h"
#include "RefusedForms.h"
#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlirprof;

namespace {

/// Keeps what the parser says, first error first, instead of printing it.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              message.empty()) {
            message = diagnostic.str();
            if (auto at = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
              place = ":" + std::to_string(at.getLine()) + ":" +
                      std::to_string(at.getColumn());
          }
          return success();
        }) {}

  std::string message;
  /// ":line:column", or "".
  std::string place;

private:
  ScopedDiagnosticHandler handler;
};

} // namespace

void mlirprof::prepareContext(MLIRContext &context) {
  DialectRegistry registry;
  registerAllDialects(registry);
  prof::registerProfDialect(registry);
  context.appendDialectRegistry(registry);
  context.allowUnregisteredDialects();
}

llvm::Expected<OwningOpRef<Operation *>>
mlirprof::parseModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
                      MLIRContext &context) {
  std::string where = buffer->getBufferIdentifier().str();
  StringRef bytes = buffer->getBuffer();
  DiagnosticCollector diagnostics(context);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module) {
    std::string what = diagnostics.message.empty() ? "not a module of MLIR"
                                                   : diagnostics.message;
    return inputError(where + diagnostics.place, what,
                      getHint(bytes, diagnostics.message));
  }
  return OwningOpRef<Operation *>(module.release().getOperation());
}

llvm::Expected<OwningOpRef<Operation *>>
mlirprof::readModule(StringRef path, MLIRContext &context) {
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  StringRef bytes = (*buffer)->getBuffer();
  if (isBytecode(bytes))
    if (std::optional<Refusal> refusal = checkBytecode(bytes, context))
      return inputError(path, refusal->what, refusal->hint);
  return parseModule(std::move(*buffer), context);
}
