//===- Model.cpp - Reading and compiling a user's model -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Model.h"
#include "Note.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Compile/ModelLibrary.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Record/ModelServer.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/CrashGuard.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Units.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::record;

BuiltModel::~BuiltModel() {
  // Data in `storage` may belong to the context.
  input = nullptr;
  model = CompiledModel();
}

void BuiltModel::abandon() {
  llvm::BuryPointer(
      static_cast<const void *>(input.release().getAsOpaquePointer()));
  llvm::BuryPointer(std::move(context));
}

/// The file that has constants of `built.input`, if it is still open.
static const llvm::MemoryBuffer *getConstantFile(const BuiltModel &built) {
  if (!built.sources || built.sources->getNumBuffers() == 0)
    return nullptr;
  return built.sources->getMemoryBuffer(1);
}

/// Runs `passes` on a copy of the input, on a large stack. A crash is an error,
/// after which nothing in the context can be used, or destroyed.
template <typename Result>
static llvm::Expected<Result>
runSafely(BuiltModel &built, llvm::StringRef path,
          const CompileOptions &options,
          llvm::function_ref<
              llvm::Expected<Result>(mlir::OwningOpRef<mlir::ModuleOp>)>
              passes) {
  mlir::ModuleOp copy = built.input->clone();
  std::optional<llvm::Expected<Result>> result;
  CrashRecovery recovery;
  llvm::CrashRecoveryContext region;
  PROF_SCOPE("build");
  bool finished = region.RunSafelyOnThread(
      [&, context = scope::here()] {
        scope::ContextGuard guard(context);
        result.emplace(passes(mlir::OwningOpRef<mlir::ModuleOp>(copy)));
      },
      kBuildStackBytes);
  if (finished)
    return std::move(*result);
  built.abandon();
  // Missing pages of the file are not a mistake of a pass. They are not read
  // here.
  if (const llvm::MemoryBuffer *file = getConstantFile(built))
    if (llvm::Error error = checkUnchanged(*file))
      return std::move(error);
  return compile::makeCrashError(path, options.pipeline);
}

/// The name of the value at the position `at` in the text: "x" for "%x", else
/// "". MLIR does not keep names, but its parser records the position of each
/// argument.
static llvm::StringRef getNameAt(llvm::ArrayRef<llvm::StringRef> lines,
                                 mlir::FileLineColLoc at) {
  if (at.getLine() == 0 || at.getLine() > lines.size() || at.getColumn() == 0)
    return "";
  llvm::StringRef text = lines[at.getLine() - 1].drop_front(
      std::min<size_t>(at.getColumn() - 1, lines[at.getLine() - 1].size()));
  if (!text.consume_front("%") || text.empty() || llvm::isDigit(text.front()))
    return "";
  return text.take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
  });
}

/// Adds the names that function arguments have in the text of `path` to their
/// locations, for --input=NAME=.
static void nameArguments(llvm::StringRef path, BuiltModel &built) {
  // Standard input has been read already.
  if (path == "-")
    return;
  auto text = openInput(path);
  if (!text)
    return llvm::consumeError(text.takeError());
  if ((*text)->getBuffer().starts_with("ML\xEFR"))
    return;
  // Names of another text do not belong to the hash.
  if (contentHash((*text)->getBuffer(), getBacking(**text)) != built.source)
    built.source.clear();
  llvm::SmallVector<llvm::StringRef> lines;
  (*text)->getBuffer().split(lines, '\n');
  for (auto function : built.input->getOps<mlir::func::FuncOp>()) {
    for (mlir::BlockArgument argument : function.getArguments()) {
      auto at = llvm::dyn_cast<mlir::FileLineColLoc>(argument.getLoc());
      llvm::StringRef name = at ? getNameAt(lines, at) : "";
      if (!name.empty())
        argument.setLoc(mlir::NameLoc::get(
            mlir::StringAttr::get(built.context.get(), name), at));
    }
  }
}

/// Reads the module in `buffer`, whose hash is built.source; its constants stay
/// in a file of bytecode if built.sources is set.
static llvm::Error readBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer,
                              BuiltModel &built) {
  PROF_SCOPE("read module");
  std::string path = buffer->getBufferIdentifier().str();
  built.context = makeModuleContext();
  auto read = readModule(std::move(buffer), *built.context, CrashRule::ComeBack,
                         built.sources);
  if (!read)
    return read.takeError();
  auto module = llvm::dyn_cast<mlir::ModuleOp>(read->get());
  if (!module)
    return inputError(path, "is not a module",
                      "Put the function into a builtin module.");
  (void)read->release();
  built.input = module;
  nameArguments(path, built);
  return llvm::Error::success();
}

llvm::Expected<BuiltModel> mlirprof::readInput(llvm::StringRef path) {
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  if (isLibrary((*buffer)->getBuffer()))
    return inputError(path,
                      "is a compiled model, which does not have all of the "
                      "module",
                      "Name the module from which it was compiled.");
  BuiltModel built;
  built.source = contentHash((*buffer)->getBuffer(), getBacking(**buffer));
  if (llvm::Error error = readBuffer(std::move(*buffer), built))
    return std::move(error);
  return std::move(built);
}

/// Whether a value has a size that only its array tells.
static bool hasUnknownSizes(const Signature &signature) {
  return llvm::any_of(signature.arguments, [](const ValueSignature &value) {
    return llvm::any_of(value.shape, mlir::ShapedType::isDynamic);
  });
}

/// Reads the compiled model in `buffer`, where its constants stay.
static llvm::Expected<BuiltModel>
openLibrary(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  llvm::StringRef path = buffer->getBufferIdentifier();
  auto read = unlessChanged<ModelLibrary>(
      *buffer, readLibrary(buffer->getBuffer(), path));
  if (!read)
    return read.takeError();
  BuiltModel built;
  built.isFound = true;
  built.threads = read->threads;
  built.warnings = std::move(read->warnings);
  built.model = std::move(read->model);
  built.model.storage = std::shared_ptr<llvm::MemoryBuffer>(std::move(buffer));
  // Without identities there are no levels.
  if (built.model.irModules.empty())
    return std::move(built);
  Profile holder;
  holder.irModules = {built.model.irModules.front()};
  built.context = makeModuleContext();
  auto input =
      loadStoredModule(holder, holder.irModules.front().level, *built.context);
  if (!input)
    return input.takeError();
  built.input = llvm::cast<mlir::ModuleOp>(input->release());
  return std::move(built);
}

llvm::Expected<BuiltModel> mlirprof::openModel(llvm::StringRef path,
                                               const CompileOptions &options) {
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  if (isLibrary((*buffer)->getBuffer()))
    return openLibrary(std::move(*buffer));
  BuiltModel built;
  built.source = contentHash((*buffer)->getBuffer(), getBacking(**buffer));
  // Standard input cannot be read again.
  if (path != "-")
    built.key = getModelKey(built.source, path, options);
  std::optional<CompiledModel> found;
  if (!built.key.empty())
    found = findModel(built.key, built.warnings);
  if (found && !hasUnknownSizes(found->signature)) {
    built.isFound = true;
    built.model = std::move(*found);
    return unlessChanged<BuiltModel>(**buffer, std::move(built));
  }
  std::string source = built.source;
  built.sources = std::make_shared<llvm::SourceMgr>();
  if (llvm::Error error = readBuffer(std::move(*buffer), built))
    return std::move(error);
  // The path has another text by now.
  if (built.source != source)
    built.key.clear();
  built.isFound = found && !built.key.empty();
  if (built.isFound)
    built.model = std::move(*found);
  return std::move(built);
}

llvm::Expected<Signature> mlirprof::getSignature(const BuiltModel &built,
                                                 llvm::StringRef entry) {
  if (!built.input || built.threads)
    return built.model.signature;
  return getModelSignature(*built.input, entry);
}

static void noteBuild(const CompileOptions &options, const BuiltModel &built,
                      llvm::StringRef how, const NoteHandler &onNote) {
  const Program &program = built.model.program;
  note(onNote,
       llvm::formatv(
           "{0} with pipeline {1} for {2}{3}: {4} on {5}, {6}",
           built.isFound ? "found the model, built" : "built",
           built.threads ? program.pipeline : options.pipeline,
           formatCount(built.threads ? built.threads : options.target.threads,
                       "thread"),
           how, formatCount(program.nodes.size(), "op"),
           formatCount(program.levels.size(), "level"),
           formatCount(program.instructions.size(), "instruction")));
}

/// Fails if the file with the constants of `built.input` has changed since it
/// was read. Its pages are not needed for now.
static llvm::Error checkConstants(const BuiltModel &built) {
  const llvm::MemoryBuffer *file = getConstantFile(built);
  if (!file)
    return llvm::Error::success();
  ReadPages(file->getBufferStart(), getBacking(*file))
      .readTo(file->getBufferEnd());
  return checkUnchanged(*file);
}

/// Compiles `module`; fails if its file has changed. Notes the warnings.
static llvm::Expected<CompiledModel>
compileUnchanged(mlir::OwningOpRef<mlir::ModuleOp> module, BuiltModel &built,
                 const CompileOptions &options) {
  CompileOptions watched = options;
  watched.onWarning = [&](llvm::StringRef text) {
    if (!llvm::is_contained(built.warnings, text))
      built.warnings.push_back(text.str());
    if (options.onWarning)
      options.onWarning(text);
  };
  auto model = compileModel(std::move(module), watched, Verified::Yes);
  // A changed file explains any other error.
  if (llvm::Error error = checkConstants(built)) {
    if (!model)
      llvm::consumeError(model.takeError());
    return std::move(error);
  }
  return model;
}

llvm::Error mlirprof::compileInput(BuiltModel &built, llvm::StringRef path,
                                   const CompileOptions &options,
                                   const NoteHandler &onNote, KeptBy keeper) {
  if (built.isFound) {
    if (options.onWarning)
      llvm::for_each(built.warnings, options.onWarning);
    noteBuild(options, built, "", onNote);
    return llvm::Error::success();
  }
  double begin = getMonotonicSeconds();
  auto model = runSafely<CompiledModel>(
      built, path, options, [&](mlir::OwningOpRef<mlir::ModuleOp> module) {
        return compileUnchanged(std::move(module), built, options);
      });
  if (!model)
    return model.takeError();
  built.model = std::move(*model);
  if (keeper == KeptBy::Build)
    ModelKeeper storing(built);
  double seconds = getMonotonicSeconds() - begin;
  noteBuild(options, built, llvm::formatv(" in {0:f2} s", seconds).str(),
            onNote);
  return llvm::Error::success();
}

void ModelKeeper::keep() const {
  if (built.isFound || built.key.empty())
    return;
  keepModel(built.key, built.model, built.warnings,
            [this] { return checkConstants(built); });
}

void ModelKeeper::start() {
  thread.emplace();
  thread->add([this] { keep(); });
}

ModelKeeper::~ModelKeeper() {
  if (!thread)
    start();
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
mlirprof::prepareInput(BuiltModel &built, llvm::StringRef path,
                       const CompileOptions &options, StageForm form) {
  return runSafely<mlir::OwningOpRef<mlir::ModuleOp>>(
      built, path, options, [&](mlir::OwningOpRef<mlir::ModuleOp> module) {
        return prepareModel(std::move(module), options, form, Verified::Yes);
      });
}

llvm::Expected<deploy::DeployedModel> mlirprof::deployInput(
    BuiltModel &built, llvm::StringRef path, llvm::StringRef name,
    llvm::StringRef targetName, const CompileOptions &options,
    const deploy::Control &control, const deploy::PackageChoices &choices) {
  return runSafely<deploy::DeployedModel>(
      built, path, options, [&](mlir::OwningOpRef<mlir::ModuleOp> module) {
        return deploy::deployModel(std::move(module), name, targetName, options,
                                   control, choices);
      });
}

llvm::Expected<BuiltModel> mlirprof::buildModel(llvm::StringRef path,
                                                const CompileOptions &options,
                                                const NoteHandler &onNote) {
  auto built = readInput(path);
  if (!built)
    return built.takeError();
  if (llvm::Error error = compileInput(*built, path, options, onNote))
    return std::move(error);
  return std::move(*built);
}
