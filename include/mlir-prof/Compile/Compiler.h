//===- Compiler.h - From a model to machine code ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COMPILE_COMPILER_H
#define MLIR_PROF_COMPILE_COMPILER_H

#include "mlir-prof/Codegen/Target.h"
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

/// What a module is after a stage, for those who step in or stop there.
enum class StageForm : uint8_t {
  Other,
  /// Structured ops on tensors, before anything is chosen: the form in which
  /// decisions know ops.
  Canonical,
  /// All that is more than a schedule is done: versions, packed constants,
  /// other mathematics. Compiled again by the same pipeline it stays as it is.
  Prepared,
};

/// A part of a pipeline. After it the module is at `level`, which may be empty
/// for a part without a name of its own.
struct PipelineStage {
  std::string level;
  std::function<llvm::Error(mlir::OpPassManager &)> build;
  StageForm form = StageForm::Other;
};

/// A pipeline that takes a model (linalg on tensors, tosa, or any lower level
/// of upstream's dialects) to the LLVM dialect. Adding one is a file in
/// lib/Compile/Pipelines and a line in Pipelines.def there.
struct Pipeline {
  /// For --pipeline.
  llvm::StringRef name;
  llvm::StringRef description;
  std::vector<PipelineStage> (*getStages)(const codegen::TargetModel &target);
};
llvm::ArrayRef<Pipeline> getPipelines();

/// The stages of `text`: the name of a pipeline, a textual pass pipeline
/// ("builtin.module(...)" or a list of passes), or a file with a transform
/// dialect schedule (a path that ends in .mlir). What a textual pipeline or a
/// schedule leaves is taken on to the LLVM dialect by `naive`; the level after
/// it is called "custom".
llvm::Expected<std::vector<PipelineStage>>
resolvePipeline(llvm::StringRef text, const codegen::TargetModel &target);

/// How a value passes the entry function.
struct ValueSignature {
  /// "arg0", or the name in its location or attribute.
  std::string name;
  /// "f32", "bf16", "i64", "index", "i1", "complex<f32>" ...
  std::string elementType;
  unsigned bytesPerElement = 4;
  /// kDynamic (INT64_MIN) where it is not known. Empty for scalars and for
  /// arrays of rank 0.
  std::vector<int64_t> shape;
  bool isScalar = false;
};

struct Signature {
  std::vector<ValueSignature> arguments;
  std::vector<ValueSignature> results;
};

/// A constant that stands outside of the object. Its address is given to the
/// symbol `name` when the object is loaded. The bytes belong to the model.
struct ExternalConstant {
  std::string name;
  llvm::ArrayRef<char> bytes;
  uint64_t alignment = 64;
};

struct CompiledModel {
  Signature signature;
  /// ELF, position independent. It defines `entrySymbol`, a function
  /// `void (void **arguments)`: for each argument of the entry, then for each
  /// result, the address of a memref descriptor or scalar. Results are written
  /// to; what they point to is allocated with `malloc`.
  std::string object;
  std::string entrySymbol;
  std::vector<ExternalConstant> constants;
  /// Keeps `constants` alive: the context and what was cut off the module.
  std::shared_ptr<void> storage;
  /// Levels, nodes and, from the object, instructions.
  profile::Program program;
  /// One for each level.
  std::vector<profile::IrModule> irModules;
  /// Whether the code calls OpenMP's runtime.
  bool usesOpenMP = false;
  std::vector<Loss> losses;
};

struct CompileOptions {
  /// The function to run; empty: the only public one, or else "main".
  std::string entry;
  /// As for resolvePipeline.
  std::string pipeline = "default";
  codegen::TargetModel target;
  /// Whether ops get identities. Without them nothing can be attributed; for
  /// comparing with the plain build.
  bool identities = true;
  /// Options of prof-instrument, textual ("scope=op"); none: no probes.
  std::optional<std::string> instrument;
  /// Options of prof-lower-probes, textual ("probe=inline instances=10").
  std::string lowerProbes;
  /// Whether values are recorded (prof-record-values).
  bool recordValues = false;
  /// Approximate exp, tanh, erf and the like by polynomials.
  bool polynomials = true;
  /// The error that an op may make by a faster algorithm (Winograd's
  /// convolution), as part of its largest result, estimated; 0 turns these off.
  double maxError = 2e-6;
  /// Puts choices (Choices.h) on the ops of the module in its Canonical form,
  /// when set. They come before what the module says of itself.
  std::function<llvm::Error(mlir::ModuleOp)> choose;
  /// Gets what each pass did to the identities, when not null.
  transforms::AuditLog *audit = nullptr;
  /// Gets what passes warn of, each with its place, when set.
  std::function<void(llvm::StringRef)> onWarning;
};

/// Compiles `module`, which is consumed. Errors name the op and its location
/// where one has no lowering.
llvm::Expected<CompiledModel>
compileModel(mlir::OwningOpRef<mlir::ModuleOp> module,
             const CompileOptions &options);

/// How the values of the function `entry` of `module` pass (empty: as
/// CompileOptions::entry), without compiling it.
llvm::Expected<Signature> getModelSignature(mlir::ModuleOp module,
                                            llvm::StringRef entry);

/// Compiles `module` up to the stage after which it has `form`, and returns it.
/// With CompileOptions::identities the program stands on it (getProgram).
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
prepareModel(mlir::OwningOpRef<mlir::ModuleOp> module,
             const CompileOptions &options, StageForm form);

} // namespace mlirprof::compile

#endif // MLIR_PROF_COMPILE_COMPILER_H
