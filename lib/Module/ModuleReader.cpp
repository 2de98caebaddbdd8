//===- ModuleReader.cpp - Reading modules ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Module/ModuleReader.h"
#include "BitsAsBytes.h"
#include "CrashPlace.h"
#include "RefusedForms.h"
#include "TryInChild.h"
#include "mlir-prof/Dialect/Cpu/Cpu.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir-prof/Support/CrashGuard.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

#include <unistd.h>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::module;

namespace {

/// Collects the parser's messages, first error first, instead of printing them.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              message.empty()) {
            message = diagnostic.str();
            auto at = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
            // Bytecode does not have lines.
            if (at && at.getLine() != 0)
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

void module::prepareContext(MLIRContext &context) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<cpu::CpuDialect>();
  prof::registerProfDialect(registry);
  dispatch::registerDispatchDialect(registry);
  context.appendDialectRegistry(registry);
  context.allowUnregisteredDialects();
}

std::unique_ptr<MLIRContext> module::makeModuleContext() {
  auto context =
      std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  prepareContext(*context);
  return context;
}

/// MLIR trusts the numbers in bytecode: broken ones make its reader write out
/// of bounds or loop for hours. The parsers of some ops crash on attributes of
/// the wrong kind. A child process tests it, and confirms a module that it has
/// verified. Once it has parsed it, this process does `beside`.
static ChildOutcome tryToParse(llvm::MemoryBufferRef buffer,
                               MLIRContext &context,
                               llvm::function_ref<void()> beside = nullptr) {
  uint64_t size = buffer.getBufferSize();
  constexpr uint64_t kGiB = uint64_t(1) << 30;
  ChildLimits limits;
  limits.processorSeconds = 10 + size / (1 << 20);
  limits.wallSeconds = 3 * limits.processorSeconds;
  limits.bytes = 16 * kGiB + 64 * size;
  return tryInChild(
      [&] {
        // The child does not have the threads of `context`: work given to them
        // would never be done.
        MLIRContext own(context.getDialectRegistry(),
                        MLIRContext::Threading::DISABLED);
        own.allowUnregisteredDialects(context.allowsUnregisteredDialects());
        ScopedDiagnosticHandler silence(&own,
                                        [](Diagnostic &) { return success(); });
        // Owned, so that resources are not copied.
        auto sources = std::make_shared<llvm::SourceMgr>();
        // A part of a text lacks the zero at which the lexer stops.
        sources->AddNewSourceBuffer(
            isBytecode(buffer.getBuffer())
                ? llvm::MemoryBuffer::getMemBuffer(buffer, false)
                : llvm::MemoryBuffer::getMemBufferCopy(buffer.getBuffer()),
            llvm::SMLoc());
        ParserConfig config(&own, /*verifyAfterParse=*/false);
        OwningOpRef<ModuleOp> module =
            parseSourceFile<ModuleOp>(sources, config);
        if (module)
          report();
        // Destroying module and context is not part of the test.
        if (module && succeeded(verify(module.release())))
          confirm();
        _exit(0);
      },
      limits, beside);
}

/// Why bytecode is not parsed.
static std::optional<Refusal> refuseAfter(ChildOutcome outcome) {
  constexpr StringRef kDamaged =
      "The file is damaged; write it again, or as text.";
  switch (outcome) {
  case ChildOutcome::Safe:
  case ChildOutcome::Confirmed:
    return std::nullopt;
  case ChildOutcome::Crashed:
    return Refusal{"MLIR's reader of bytecode crashes on it", kDamaged.str()};
  case ChildOutcome::Limit:
    return Refusal{"MLIR's reader of bytecode does not come to an end on it",
                   kDamaged.str()};
  case ChildOutcome::Unknown:
    break;
  }
  return Refusal{"whether MLIR's reader of bytecode crashes on it cannot be "
                 "found out, as no child process can be run",
                 "Give the module as text (mlir-opt --mlir-print-debuginfo), "
                 "or allow more processes."};
}

/// Whether the verifier's error `message` is one that it reports for valid
/// modules: a symbol that is used within an op of an unregistered dialect is
/// not found, since such an op might itself be a symbol table. JAX's shard_map
/// makes these (calls within sdy.manual_computation).
static bool isUnfoundSymbol(StringRef message, Operation *root) {
  if (!message.contains("does not reference a valid function"))
    return false;
  return root
      ->walk([](Operation *op) {
        bool hides = !op->isRegistered() && op->getNumRegions() != 0;
        return hides ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
/// Parses a module that is being tested.
class GuardedParser {
public:
  GuardedParser(std::shared_ptr<llvm::SourceMgr> sources, MLIRContext &context)
      : diagnostics(context), sources(std::move(sources)), context(context) {}

  /// Resources stay in the buffer if it has other owners.
  void parse();
  /// Parses unless that is done, and drops what is not valid, with the reason
  /// in `diagnostics`.
  void finish(bool isValid);

  DiagnosticCollector diagnostics;
  OwningOpRef<ModuleOp> module;
  /// How MLIR has crashed.
  std::optional<std::string> crash;

private:
  std::shared_ptr<llvm::SourceMgr> sources;
  MLIRContext &context;
  bool isParsed = false;
};
} // namespace

void GuardedParser::parse() {
  isParsed = true;
  crash = runGuarded([&] {
    ParserConfig config(&context, /*verifyAfterParse=*/false);
    module = sources.use_count() > 1
                 ? parseSourceFile<ModuleOp>(sources, config)
                 : parseSourceFile<ModuleOp>(*sources, config);
  });
}

void GuardedParser::finish(bool isValid) {
  if (!isParsed)
    parse();
  if (!module || isValid)
    return;
  crash = runGuarded([&] {
    if (failed(verify(*module)) &&
        !isUnfoundSymbol(diagnostics.message, *module))
      module = nullptr;
  });
}

/// The error for `text`, on which MLIR crashes; `how` is the signal, LLVM's
/// last message, or "".
static llvm::Error describeCrash(llvm::MemoryBufferRef text,
                                 MLIRContext &context, StringRef how) {
  CrashPlace at = findCrashPlace(text.getBuffer(), [&](StringRef begin) {
    return tryToParse({begin, text.getBufferIdentifier()}, context) ==
           ChildOutcome::Crashed;
  });
  std::string what = "MLIR's own parser crashes";
  if (at.place.empty())
    what = "MLIR crashes on this module, in its parser or its verifier";
  if (!at.op.empty())
    what += " on '" + at.op + "'";
  if (!how.empty())
    what += " (" + how.str() + ")";
  return inputError(text.getBufferIdentifier().str() + at.place, what,
                    "The op's text is not what its dialect expects; compare "
                    "it with the dialect's documentation, or write the "
                    "module again.");
}

llvm::Expected<OwningOpRef<Operation *>>
module::parseModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
                    MLIRContext &context, CrashRule rule,
                    std::shared_ptr<llvm::SourceMgr> sources) {
  std::string where = buffer->getBufferIdentifier().str();
  StringRef bytes = buffer->getBuffer();
  llvm::MemoryBufferRef text = *buffer;
  bool isText = !isBytecode(bytes);
  if (isText)
    if (std::optional<Refusal> refusal = checkNesting(bytes))
      return unlessChanged(*buffer,
                           inputError(where, refusal->what, refusal->hint));
  if (isText && rule == CrashRule::ChildFirst &&
      tryToParse(text, context) == ChildOutcome::Crashed)
    return unlessChanged(*buffer, describeCrash(text, context, ""));
  const llvm::MemoryBuffer &input = *buffer;
  // Those of a text are decoded.
  if (!sources || isText)
    sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  GuardedParser parser(std::move(sources), context);
  ChildOutcome tried = isText
                           ? ChildOutcome::Safe
                           : tryToParse(text, context, [&] { parser.parse(); });
  if (std::optional<Refusal> refusal = refuseAfter(tried))
    return unlessChanged(input,
                         inputError(where, refusal->what, refusal->hint));
  parser.finish(/*isValid=*/tried == ChildOutcome::Confirmed);
  if (llvm::Error error = checkUnchanged(input))
    return std::move(error);
  if (parser.crash)
    return describeCrash(text, context, *parser.crash);
  OwningOpRef<ModuleOp> module = std::move(parser.module);
  if (!module) {
    const std::string &message = parser.diagnostics.message;
    return inputError(where + parser.diagnostics.place,
                      message.empty() ? "not a module of MLIR"
                                      : StringRef(message).trim().str(),
                      getHint(bytes, message));
  }
  shortenLocations(*module);
  return OwningOpRef<Operation *>(module.release().getOperation());
}

llvm::Expected<OwningOpRef<Operation *>>
module::readModule(StringRef path, MLIRContext &context, CrashRule rule) {
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  return readModule(std::move(*buffer), context, rule);
}

llvm::Expected<OwningOpRef<Operation *>>
module::readModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
                   MLIRContext &context, CrashRule rule,
                   std::shared_ptr<llvm::SourceMgr> sources) {
  std::string path = buffer->getBufferIdentifier().str();
  StringRef bytes = buffer->getBuffer();
  if (isBytecode(bytes))
    if (std::optional<Refusal> refusal = checkBytecode(bytes, context))
      return unlessChanged(*buffer,
                           inputError(path, refusal->what, refusal->hint));
  // The lexer reads the byte after the text, which the mapping lacks if the
  // text ends with a page.
  constexpr size_t kSmallestPage = 4096;
  std::string packed = isBytecode(bytes) ? "" : packBits(bytes);
  bool isComplete = isBytecode(bytes) || bytes.size() % kSmallestPage != 0;
  if (isComplete && packed.empty())
    return parseModule(std::move(buffer), context, rule, std::move(sources));
  auto copy = llvm::MemoryBuffer::getMemBufferCopy(
      packed.empty() ? bytes : StringRef(packed), path);
  if (llvm::Error error = checkUnchanged(*buffer))
    return std::move(error);
  return parseModule(std::move(copy), context, rule);
}
