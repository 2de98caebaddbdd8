//===- Compiler.h - Compiling a model to machine code -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COMPILE_COMPILER_H
#define MLIR_PROF_COMPILE_COMPILER_H

#include "mlir-prof/Codegen/HostGraph.h"
#include "mlir-prof/Codegen/Target.h"
#include "mlir-prof/Compile/HostPrograms.h"
#include "mlir-prof/Device/Program.h"
#include "mlir-prof/Profile/Profile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlirprof::transforms {
struct AuditLog;
} // namespace mlirprof::transforms

namespace mlirprof::compile {

/// The form of a module after a stage, for callers that intervene or stop
/// there.
enum class StageForm : uint8_t {
  Other,
  /// Structured ops on tensors, before any choice is applied: the form in which
  /// decisions identify ops.
  Canonical,
  /// After all transformations beyond scheduling: versions, packed constants,
  /// math approximations. Compiling it again by the same pipeline does not
  /// change it. The stage only runs if it is the last one: it leaves MLIR's own
  /// dialects, for other tools.
  Prepared,
  /// A host side that runs kernels (the dialect `dispatch`). The stages after
  /// it run on each kernel alone, and on the host side.
  Dispatched,
  /// A host side whose buffers have places in memory that is allocated once per
  /// call. The stage does not run on kernels.
  Planned,
  /// A host side whose buffers have places in memory of its caller, for targets
  /// without a heap. The stage does not run on kernels.
  Placed,
  /// Kernels whose iterations are divided among workgroups. The stage runs on
  /// kernels only.
  Divided,
};

/// A part of a pipeline. After it the module is at `level`, which may be empty
/// for a part without its own name.
struct PipelineStage {
  std::string level;
  std::function<llvm::Error(mlir::OpPassManager &)> build;
  StageForm form = StageForm::Other;
};

/// A pipeline that takes a model (linalg on tensors, tosa, or any lower level
/// of upstream's dialects) to the LLVM dialect. To add one, add a file in
/// lib/Compile/Pipelines and a line in Pipelines.def there.
struct Pipeline {
  /// The name for --pipeline.
  llvm::StringRef name;
  llvm::StringRef description;
  std::vector<PipelineStage> (*getStages)(const codegen::TargetModel &target);
};
llvm::ArrayRef<Pipeline> getPipelines();

/// The stages of `text`: the name of a pipeline, a textual pass pipeline
/// ("builtin.module(...)" or a list of passes), or a file with a transform
/// dialect schedule (a path that ends in .mlir). `naive` lowers the result of a
/// textual pipeline or a schedule to the LLVM dialect; the level after the
/// user's part is called "custom".
llvm::Expected<std::vector<PipelineStage>>
resolvePipeline(llvm::StringRef text, const codegen::TargetModel &target);

/// Whether `text` is the name of a pipeline that forms kernels. Passes and
/// schedules of the user's do not.
bool formsKernels(llvm::StringRef text, const codegen::TargetModel &target);

/// How a value is passed to or from the entry function.
struct ValueSignature {
  /// "arg0", or the name in its location or attribute.
  std::string name;
  /// "f32", "bf16", "i64", "index", "i1", "complex<f32>" ...
  std::string elementType;
  unsigned bytesPerElement = 4;
  /// kDynamic (INT64_MIN) for unknown dimensions. Empty for scalars and for
  /// arrays of rank 0.
  std::vector<int64_t> shape;
  bool isScalar = false;
  /// Whether a call may write the array of an argument.
  bool isWritten = false;
};

struct Signature {
  std::vector<ValueSignature> arguments;
  std::vector<ValueSignature> results;
};

/// A constant stored outside of the object. When the object is loaded, the
/// symbol `name` is bound to its address. The model owns the bytes.
struct ExternalConstant {
  std::string name;
  llvm::ArrayRef<char> bytes;
  uint64_t alignment = 64;
  /// XXH3 of `bytes`, if it is known.
  std::optional<uint64_t> hash = {};
};

/// The levels of a kernel, which was compiled alone.
struct KernelLevels {
  /// The symbol of its code.
  std::string symbol;
  std::vector<profile::IrModule> levels;
};

/// The code of one kernel, apart from that of the host side.
struct KernelCode {
  /// The name of its function ("matmul_tanh"), and the symbol of its code.
  std::string name, symbol;
  /// A module with the function alone, as bytecode, and its code as ELF.
  std::string bytecode, object;
  bool usesOpenMP = false;
  KernelPhases phases;
  /// The node of its function at level dispatch, which its ops follow; kNone
  /// without identities.
  uint32_t node = trace::kNone;
  /// For each of its arguments: whether every dispatch passes a constant.
  std::vector<bool> isConstant;
};

struct CompiledModel {
  Signature signature;
  /// ELF, position independent. It defines `entrySymbol`, a function
  /// `void (void **arguments)`: for each argument of the entry, then for each
  /// result, the address of a memref descriptor or scalar. The function writes
  /// the results, and allocates the arrays that they point to with `malloc`.
  std::string object;
  std::string entrySymbol;
  /// The function `void (void)` that gives the model's variables their first
  /// values, once before the first call and whenever a caller wants to begin
  /// anew; empty if the model does not have variables.
  std::string resetSymbol;
  /// Bytes of the object that keep the variables between calls.
  uint64_t stateBytes = 0;
  /// For a target without a heap, whose callers pass the memory of variables:
  /// its bytes before the first call, none without variables.
  std::vector<char> firstState;
  std::vector<ExternalConstant> constants;
  /// Keeps `constants` alive: the context and the attributes removed from the
  /// module.
  std::shared_ptr<void> storage;
  /// Levels, nodes and, from the object, instructions.
  profile::Program program;
  /// One per level: the model, or its host side.
  std::vector<profile::IrModule> irModules;
  /// The kernels whose levels do not follow those of the host side yet, in the
  /// order of their nodes; see joinLevels.
  std::vector<KernelLevels> kernels;
  /// With CompileOptions::keepKernels, the kernels; the object is then that of
  /// the host side, and calls their symbols.
  std::vector<KernelCode> kernelCode;
  /// With them, the programs of the executor, whose tables and workspaces the
  /// object does not have.
  std::vector<HostProgram> programs;
  /// If the target does not have a heap: bytes of the arena of a call, memory
  /// of its caller. `entrySymbol` is then a function
  ///
  ///   void (void *const *bindings, const int64_t *parameters,
  ///         uint32_t x, uint32_t y, uint32_t z)
  ///
  /// as kernels are: the addresses of the arguments, of the results, of the
  /// variables and of the arena, if these have sizes, and the dynamic sizes of
  /// arguments and results in order; the workgroup is 0, 0, 0. It calls the
  /// kernels of `kernelCode`.
  uint64_t arenaBytes = 0;
  /// With CompileOptions::keepHostGraph, the host side; `object` is then empty.
  std::optional<codegen::HostGraph> hostGraph;
  /// For a GPU: all that its driver needs. `object` is then empty, and
  /// `program` does not have code.
  std::optional<device::Program> deviceProgram;
  /// Whether the code calls the OpenMP runtime.
  bool usesOpenMP = false;
  /// Whether the code runs programs of the runtime's executor.
  bool usesExecutor = false;
  std::vector<Loss> losses;
};

struct CompileOptions {
  /// The function to run; if empty, the only public one, or else "main".
  std::string entry;
  /// As for resolvePipeline.
  std::string pipeline = "default";
  codegen::TargetModel target;
  /// Whether ops get identities. Without them nothing can be attributed; for
  /// comparisons with a plain build.
  bool identities = true;
  /// Options of prof-instrument, textual ("scope=op"); none for no probes.
  std::optional<std::string> instrument;
  /// Options of prof-lower-probes, textual ("probe=inline instances=10").
  std::string lowerProbes;
  /// Whether values are recorded (prof-record-values).
  bool recordValues = false;
  /// Approximate exp, tanh, erf and similar functions by polynomials.
  bool polynomials = true;
  /// The estimated error that a faster algorithm (Winograd convolution) may
  /// introduce in an op, relative to the op's largest result; 0 disables these
  /// algorithms.
  double maxError = 2e-6;
  /// Whether a model that can reach memory or functions other than its own is
  /// refused.
  bool isContained = false;
  /// If set, puts choices (Choices.h) on the ops of the module in its Canonical
  /// form. They take precedence over choices in the module.
  std::function<llvm::Error(mlir::ModuleOp)> choose;
  /// Whether kernels are not joined with the host side, so that others can take
  /// their place in a process that runs the model (KernelVariants.h). A model
  /// without kernels is not affected.
  bool keepKernels = false;
  /// Whether the host side of a model for a target without a heap is kept as a
  /// list of dispatches in place of code. An op that is not one is an error.
  bool keepHostGraph = false;
  /// The symbol of the code of a model for a target without a heap.
  std::string placedSymbol = "model";
  /// Whether alike layers of a model are compiled once, up to the level linalg.
  /// The levels and the code are the same without it; for comparisons.
  bool sharesLayers = true;
  /// Patterns of dispatches and the devices on which these run, "matmul*=npu"
  /// (place-dispatches). Only with keepHostGraph.
  std::vector<std::string> places;
  /// If not null, receives the changes that each pass made to the identities.
  transforms::AuditLog *audit = nullptr;
  /// If set, receives the warnings of passes, each with its location.
  std::function<void(llvm::StringRef)> onWarning;
  /// If not empty, the constants of a model for a target without a heap are not
  /// in its object. Their symbols begin with this, and are the same for the
  /// same bytes.
  std::string sharedConstants;
  /// Whether the objects of such a model also have the LLVM IR of their code,
  /// for optimization by a linker (.llvm.lto).
  bool embedsBitcode = false;
};

/// Whether MLIR's verifier has accepted a module as it is.
enum class Verified : uint8_t { No, Yes };

/// Compiles `module`, which is consumed. If an op does not have a lowering, the
/// error names the op and its location.
llvm::Expected<CompiledModel>
compileModel(mlir::OwningOpRef<mlir::ModuleOp> module,
             const CompileOptions &options, Verified verified = Verified::No);

/// One module per level of `model`, to which the positions of its program's
/// nodes refer: the modules of the kernels follow the ops of the host side.
/// Takes some time where the build has not joined them: for kernels that stay
/// apart, and where MLIR must not use threads.
llvm::Expected<std::vector<profile::IrModule>>
joinLevels(const CompiledModel &model);

/// How the values of the function `entry` of `module` are passed (if empty, as
/// in CompileOptions::entry), without compiling it.
llvm::Expected<Signature> getModelSignature(mlir::ModuleOp module,
                                            llvm::StringRef entry);

/// Compiles `module` up to the stage after which it has `form`, and returns it.
/// With CompileOptions::identities, the program is attached to it (getProgram).
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
prepareModel(mlir::OwningOpRef<mlir::ModuleOp> module,
             const CompileOptions &options, StageForm form,
             Verified verified = Verified::No);

} // namespace mlirprof::compile

#endif // MLIR_PROF_COMPILE_COMPILER_H
