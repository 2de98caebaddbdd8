//===- Backend.cpp - Lowering the LLVM dialect to an object ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Guards against errors and fatal errors that LLVM reports, and against crashes
// of LLVM: they are returned as errors, and LLVM's allocations leak. Stack
// overflow, running out of memory and infinite loops cannot be guarded.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Compile/Backend.h"
#include "Code.h"
#include "Constants.h"
#include "Entry.h"
#include "Generate.h"
#include "Lines.h"
#include "Machine.h"
#include "Optimize.h"
#include "State.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/CrashGuard.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Transforms/Instrument.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/ArmNeon/ArmNeonToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ArmSVE/ArmSVEToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// The origin of `op`, for people: the text that the program keeps for the
/// earliest level that has one, else the op's location.
static std::string describeLocation(Location location, const Program &program) {
  std::vector<uint32_t> ids;
  for (uint32_t id : prof::getIdentities(location).owners)
    ids.push_back(id);
  std::string best;
  // Parents are at earlier levels, so the walk ends; in broken programs it may
  // not.
  for (size_t depth = 0; !ids.empty() && depth <= program.levels.size();
       ++depth) {
    uint32_t id = ids.front();
    if (id >= program.nodes.size())
      break;
    const ProgramNode &node = program.nodes[id];
    if (node.location != 0 && node.location < program.strings.size())
      best = program.strings[node.location];
    ids = node.parents;
  }
  if (!best.empty())
    return best;
  std::string text;
  llvm::raw_string_ostream os(text);
  Location plain = prof::removeIdentities(location);
  plain->print(os);
  return isa<UnknownLoc>(plain) ? kUnknownPlace.str() : text;
}

namespace {
/// Keeps the first error that is emitted, and its location.
class DiagnosticCollector {
public:
  DiagnosticCollector(MLIRContext *context, const Program &program)
      : handler(context, [this, &program](Diagnostic &diagnostic) {
          // Warnings are left to other handlers.
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          if (what.empty()) {
            where = describeLocation(diagnostic.getLocation(), program);
            what = diagnostic.str();
          }
          return success();
        }) {}

  llvm::Error take(const llvm::Twine &otherwise, const llvm::Twine &hint) {
    if (what.empty())
      return inputError("the LLVM dialect", otherwise, hint);
    return inputError(where, what, hint);
  }

private:
  std::string where;
  std::string what;
  ScopedDiagnosticHandler handler;
};
} // namespace

/// Rejects ops that cannot be translated to LLVM IR.
static llvm::Error checkDialects(ModuleOp module, const Program &program) {
  Operation *bad = nullptr;
  module.walk([&](Operation *op) {
    llvm::StringRef dialect = op->getName().getDialectNamespace();
    bool known = dialect == "llvm" || dialect == "nvvm" || dialect == "omp" ||
                 dialect == "arm_neon" || dialect == "arm_sve" ||
                 isa<ModuleOp>(op);
    if (known)
      return WalkResult::advance();
    bad = op;
    return WalkResult::interrupt();
  });
  if (!bad)
    return llvm::Error::success();
  return inputError(describeLocation(bad->getLoc(), program),
                    "no lowering to the LLVM dialect for the op '" +
                        bad->getName().getStringRef() + "'",
                    "Lower it first, or choose a --pipeline that lowers it.");
}

//===----------------------------------------------------------------------===//
// LLVM
//===----------------------------------------------------------------------===//

/// Only a machine with an operating system has stacks that a profiler walks,
/// and a page that guards the end of each.
static void addHostedAttributes(llvm::AttrBuilder &attributes) {
  attributes.addAttribute("frame-pointer", "all");
  // A large frame must not begin behind the page that guards the stack's end.
  attributes.addAttribute("probe-stack", "inline-asm");
}

/// Whether `function` shifts numbers of more bits than a register of `machine`
/// has by distances that it computes: the least code for it calls a function
/// that programs may lack.
static bool shiftsFar(const llvm::Function &function,
                      const llvm::TargetMachine &machine) {
  return llvm::any_of(
      llvm::instructions(function), [&](const llvm::Instruction &instruction) {
        return instruction.isShift() &&
               instruction.getType()->getScalarSizeInBits() >
                   machine.getPointerSizeInBits(0) &&
               !llvm::isa<llvm::Constant>(instruction.getOperand(1));
      });
}

/// Sets the attributes that every function needs: its samples need separate
/// frames and lines.
static void setAttributes(llvm::Module &module,
                          const llvm::TargetMachine &machine,
                          const BackendOptions &options) {
  // Long texts: each is looked up once.
  llvm::AttrBuilder attributes(module.getContext());
  if (codegen::isBareMetal(options.target))
    // Programs do not have an unwinder.
    attributes.addAttribute(llvm::Attribute::NoUnwind);
  else
    addHostedAttributes(attributes);
  attributes.addAttribute("target-cpu", machine.getTargetCPU());
  attributes.addAttribute("target-features", machine.getTargetFeatureString());
  attributes.addAttribute("prefer-vector-width",
                          std::to_string(options.target.vectorBits));
  if (options.target.goal == codegen::CodeGoal::Size)
    attributes.addAttribute(llvm::Attribute::OptimizeForSize);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setDSOLocal(true);
    function.addFnAttrs(attributes);
    if (options.target.goal == codegen::CodeGoal::Size &&
        !shiftsFar(function, machine))
      function.addFnAttr(llvm::Attribute::MinSize);
    // Inlined into callers without debug information, code would lose its
    // lines.
    if (!function.hasFnAttribute(llvm::Attribute::AlwaysInline))
      function.addFnAttr(llvm::Attribute::NoInline);
  }
}

/// Gathers the code in one section, as the reader of the object requires: LLVM
/// moves cold code to another section, and models may name their own. Cold
/// functions come last.
static void gatherCode(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> cold;
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setComdat(nullptr);
    function.setSection(".text");
    if (function.hasFnAttribute(llvm::Attribute::Cold))
      cold.push_back(&function);
  }
  for (llvm::Function *function : cold) {
    function->removeFromParent();
    module.getFunctionList().push_back(function);
  }
}

/// Adds the bitcode of `module` to it, where clang's -ffat-lto-objects does. A
/// linker that optimizes may inline what keeps frames of its own here.
static void embedBitcode(llvm::Module &module) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  for (llvm::Function &function : *copy)
    function.removeFnAttr(llvm::Attribute::NoInline);
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::WriteBitcodeToFile(*copy, os);
  llvm::embedBufferInModule(module, llvm::MemoryBufferRef(bytes, "bitcode"),
                            ".llvm.lto");
}

/// Emits the object. Errors that LLVM reports go to `message`.
static bool emit(llvm::Module &module, llvm::TargetMachine &machine,
                 const BackendOptions &options,
                 llvm::SmallVectorImpl<char> &object) {
  scope::Scope optimizing("LLVM's passes");
  if (!options.callsKernels || !isLongList(module))
    optimize(module, machine, options);
  expandRoundEven(module, machine);
  if (!options.hasSections)
    gatherCode(module);
  if (options.embedsBitcode)
    embedBitcode(module);
  optimizing.end();
  PROF_SCOPE("LLVM's code generator");
  llvm::raw_svector_ostream os(object);
  return generateCode(module, machine, options, os);
}

/// The calling thread's place for the reason of a fatal error.
static thread_local std::string *fatalReason = nullptr;

/// Called for errors after which LLVM cannot continue; leaves the guarded
/// region.
static void onFatalError(void *, const char *reason, bool) {
  if (fatalReason)
    *fatalReason = reason;
  if (auto *context = llvm::CrashRecoveryContext::GetCurrent())
    context->HandleExit(1);
}

static void installFatalHandler() {
  llvm::install_fatal_error_handler(onFatalError);
}

namespace {
/// While one exists, fatal errors and crashes of LLVM can be guarded.
struct FatalErrorGuard {
  CrashRecovery recovery;
  ProcessSwitch<installFatalHandler, llvm::remove_fatal_error_handler> handler;
};
} // namespace

static llvm::Expected<std::string> emitGuarded(llvm::Module &module,
                                               llvm::TargetMachine &machine,
                                               const BackendOptions &options) {
  std::string message;
  module.getContext().setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *data) {
        if (info->getSeverity() != llvm::DS_Error)
          return;
        llvm::raw_string_ostream os(*static_cast<std::string *>(data));
        llvm::DiagnosticPrinterRawOStream printer(os);
        info->print(printer);
      },
      &message);
  llvm::SmallString<0> object;
  bool supported = true;
  FatalErrorGuard handlers;
  fatalReason = &message;
  llvm::CrashRecoveryContext guard;
  bool survived = guard.RunSafely(
      [&] { supported = emit(module, machine, options, object); });
  fatalReason = nullptr;
  if (survived && supported && message.empty())
    return std::string(object.str());
  // LLVM may have crashed within the machine.
  abandonTargetMachine();
  if (message.empty())
    message = survived ? "it cannot write object files"
                       : "it crashed while compiling the model";
  return inputError("LLVM", llvm::StringRef(message).trim(),
                    "Try another --pipeline; the model may use something that "
                    "LLVM does not support on this machine.");
}

static void registerTranslations(MLIRContext &context) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerOpenMPDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  registerProbeTranslation(registry);
  registerArmNeonDialectTranslation(registry);
  registerArmSVEDialectTranslation(registry);
  context.appendDialectRegistry(registry);
}

static bool callsOpenMP(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() &&
           (function.getName().starts_with("__kmpc_") ||
            function.getName().starts_with("omp_"));
  });
}

/// A GPU does not have a library of functions.
static llvm::Error checkDeviceCalls(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic())
      return inputError("kernel",
                        "it calls the function '" + function.getName() +
                            "', which a GPU does not have",
                        "Replace the op that needs it by arithmetic.");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// emitObject
//===----------------------------------------------------------------------===//

static llvm::Expected<std::unique_ptr<llvm::Module>>
translate(ModuleOp module, llvm::LLVMContext &context, const Program &program,
          LLVM::DIEmissionKind lines) {
  DiagnosticCollector collector(module.getContext(), program);
  if (failed(verify(module)))
    return collector.take("the module does not verify", "");
  if (failed(addDebugLines(module, lines)))
    return collector.take("debug lines cannot be created", "");
  std::unique_ptr<llvm::Module> translated =
      // The whole module is verified below.
      translateModuleToLLVMIR(module, context, "LLVMDialectModule",
                              /*disableVerification=*/true);
  if (!translated)
    return collector.take("the module cannot be translated to LLVM IR", "");
  return std::move(translated);
}

/// Compiles `module` after `finish` has changed its LLVM IR, and reads the code
/// into `program`.
static llvm::Expected<EmittedCode>
emitCode(ModuleOp module, const BackendOptions &options, Program &program,
         llvm::function_ref<llvm::Error(llvm::Module &)> finish) {
  if (llvm::Error error = checkDialects(module, program))
    return std::move(error);
  registerTranslations(*module.getContext());
  auto found = getTargetMachine(options);
  if (!found)
    return found.takeError();
  llvm::TargetMachine &machine = **found;
  llvm::LLVMContext context;
  scope::Scope translating("translate to LLVM IR");
  // Tables of lines in PTX would turn off the driver's optimization.
  bool isDevice = codegen::isGpu(options.target);
  auto translated =
      translate(module, context, program,
                isDevice ? LLVM::DIEmissionKind::DebugDirectivesOnly
                         : LLVM::DIEmissionKind::LineTablesOnly);
  translating.end();
  if (!translated)
    return translated.takeError();
  llvm::Module &llvmModule = **translated;
  llvmModule.setTargetTriple(machine.getTargetTriple());
  llvmModule.setDataLayout(machine.createDataLayout());
  if (codegen::isPositionIndependent(options.target) && !isDevice)
    llvmModule.setPICLevel(llvm::PICLevel::BigPIC);
  if (llvm::Error error = finish(llvmModule))
    return std::move(error);
  if (isDevice) {
    if (llvm::Error error = checkDeviceCalls(llvmModule))
      return std::move(error);
  } else {
    setAttributes(llvmModule, machine, options);
  }
  std::string problem;
  llvm::raw_string_ostream problemStream(problem);
  if (llvm::verifyModule(llvmModule, &problemStream))
    return inputError("LLVM IR of the model", problem);
  auto object = emitGuarded(llvmModule, machine, options);
  if (!object)
    return object.takeError();
  EmittedCode code{std::move(*object), callsOpenMP(llvmModule)};
  program.target = machine.getTargetCPU().str();
  if (options.hasSections)
    return std::move(code);
  PROF_SCOPE("read code");
  if (llvm::Error error = readCode(code.object, machine, program))
    return std::move(error);
  return std::move(code);
}

llvm::Error compile::emitObject(ModuleOp module, llvm::StringRef entry,
                                const BackendOptions &options,
                                CompiledModel &model) {
  cutConstants(module, options.externalBytes, model);
  findState(module, model);
  auto code = emitCode(module, options, model.program,
                       [&](llvm::Module &llvmModule) -> llvm::Error {
                         auto symbol =
                             addEntry(llvmModule, entry, model.signature);
                         if (!symbol)
                           return symbol.takeError();
                         model.entrySymbol = std::move(*symbol);
                         return llvm::Error::success();
                       });
  if (!code)
    return code.takeError();
  model.object = std::move(code->object);
  model.usesOpenMP = code->usesOpenMP;
  return llvm::Error::success();
}

/// Leaves `symbol` as the only one that other objects see.
static void hideOthers(llvm::Module &module, llvm::StringRef symbol) {
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.isDeclaration() && !value.hasLocalLinkage() &&
        !value.hasAppendingLinkage() && value.getName() != symbol)
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
}

llvm::Expected<EmittedCode> compile::emitKernel(ModuleOp module,
                                                llvm::StringRef symbol,
                                                const BackendOptions &options,
                                                Program &program) {
  return emitCode(module, options, program, [&](llvm::Module &llvmModule) {
    hideOthers(llvmModule, symbol);
    return llvm::Error::success();
  });
}

/// An object of what `fill` puts into a module.
static llvm::Expected<std::string>
emitSimple(const BackendOptions &options,
           llvm::function_ref<void(llvm::Module &)> fill) {
  auto found = getTargetMachine(options);
  if (!found)
    return found.takeError();
  llvm::TargetMachine &machine = **found;
  llvm::LLVMContext context;
  llvm::Module module("data", context);
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  module.setPICLevel(llvm::PICLevel::BigPIC);
  fill(module);
  BackendOptions plain = options;
  plain.optimization = 0;
  return emitGuarded(module, machine, plain);
}

llvm::Expected<std::string>
compile::emitData(llvm::ArrayRef<DataSymbol> symbols,
                  const BackendOptions &options) {
  return emitSimple(options, [&](llvm::Module &data) {
    for (const DataSymbol &symbol : symbols) {
      llvm::Constant *words = llvm::ConstantDataArray::get(
          data.getContext(), llvm::ArrayRef(symbol.words));
      auto *global = new llvm::GlobalVariable(
          data, words->getType(), /*isConstant=*/true,
          llvm::GlobalValue::ExternalLinkage, words, symbol.name);
      global->setAlignment(llvm::Align(8));
    }
  });
}

/// The type that a letter of Forwarder::types stands for.
static llvm::Type *getForwardedType(char letter, llvm::LLVMContext &context) {
  switch (letter) {
  case 'i':
    return llvm::Type::getInt32Ty(context);
  case 'l':
    return llvm::Type::getInt64Ty(context);
  case 'p':
    return llvm::PointerType::getUnqual(context);
  default:
    assert(letter == 'v' && "no such type");
    return llvm::Type::getVoidTy(context);
  }
}

static void addForwarder(const Forwarder &forwarder,
                         llvm::GlobalVariable &table) {
  llvm::Module &module = *table.getParent();
  llvm::LLVMContext &context = module.getContext();
  llvm::SmallVector<llvm::Type *> types;
  for (char letter : forwarder.types)
    types.push_back(getForwardedType(letter, context));
  auto *type = llvm::FunctionType::get(
      types.front(), llvm::ArrayRef(types).drop_front(), /*isVarArg=*/false);
  auto *function = llvm::Function::Create(
      type, llvm::GlobalValue::ExternalLinkage, forwarder.name, module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
  llvm::Value *entries = builder.CreateLoad(builder.getPtrTy(), &table);
  llvm::Value *slot =
      builder.CreatePtrAdd(entries, builder.getInt64(forwarder.offset));
  llvm::Value *target = builder.CreateLoad(builder.getPtrTy(), slot);
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : function->args())
    arguments.push_back(&argument);
  llvm::CallInst *call = builder.CreateCall(type, target, arguments);
  // The host finds the model's code at the return address.
  call->setTailCallKind(llvm::CallInst::TCK_MustTail);
  if (types.front()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
}

llvm::Expected<std::string>
compile::emitForwarders(llvm::StringRef table,
                        llvm::ArrayRef<Forwarder> forwarders,
                        const BackendOptions &options) {
  return emitSimple(options, [&](llvm::Module &module) {
    auto *pointer = llvm::PointerType::getUnqual(module.getContext());
    auto *variable = new llvm::GlobalVariable(
        module, pointer, /*isConstant=*/false,
        llvm::GlobalValue::ExternalLinkage,
        llvm::ConstantPointerNull::get(pointer), table);
    for (const Forwarder &forwarder : forwarders)
      addForwarder(forwarder, *variable);
  });
}

llvm::Expected<std::string>
compile::emitAssembly(llvm::StringRef text, const BackendOptions &options) {
  return emitSimple(options, [&](llvm::Module &module) {
    llvm::SMDiagnostic diagnostic;
    bool hasFailed =
        llvm::parseAssemblyInto(llvm::MemoryBufferRef(text, "functions"),
                                &module, /*Index=*/nullptr, diagnostic);
    assert(!hasFailed && "the text is not LLVM's assembly");
    (void)hasFailed;
  });
}

/// Leaves out for which processor and ABI clang made `module`.
static void removeProcessor(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::StringRef name : {"target-cpu", "target-features", "tune-cpu"})
      function.removeFnAttr(name);
  if (llvm::NamedMDNode *flags = module.getModuleFlagsMetadata())
    module.eraseNamedMetadata(flags);
}

llvm::Expected<std::string>
compile::emitBitcode(llvm::StringRef bitcode, const BackendOptions &options,
                     llvm::ArrayRef<SymbolChange> changes) {
  auto found = getTargetMachine(options);
  if (!found)
    return found.takeError();
  llvm::TargetMachine &machine = **found;
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(bitcode, "bitcode"), context);
  if (!module)
    return module.takeError();
  removeProcessor(**module);
  for (auto [before, after] : changes)
    (*module)->getNamedValue(before)->setName(after);
  (*module)->setTargetTriple(machine.getTargetTriple());
  (*module)->setDataLayout(machine.createDataLayout());
  if (codegen::isPositionIndependent(options.target))
    (*module)->setPICLevel(llvm::PICLevel::BigPIC);
  BackendOptions plain = options;
  plain.optimization = 0;
  return emitGuarded(**module, machine, plain);
}
