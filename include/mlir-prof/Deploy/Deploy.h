//===- Deploy.h - Packaging a model for a target ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DEPLOY_DEPLOY_H
#define MLIR_PROF_DEPLOY_DEPLOY_H

#include "mlir-prof/Codegen/HostGraph.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Deploy/Targets.h"

namespace mlirprof::deploy {

/// A file of a package.
struct PackageFile {
  std::string name;
  std::string bytes;
};

/// Bytes in a program.
struct Sizes {
  uint64_t code = 0;
  uint64_t constants = 0;
  uint64_t variables = 0;
};

/// An object of a package.
struct PackageObject {
  /// The file in an archive: "host.o", or the kernel's symbol.
  std::string name;
  std::string object;
  /// Those of its sections.
  Sizes sizes = {};
  /// The variant that it is a part of; empty for all.
  std::string variant = "";
};

/// Bytes that several variants of a model read.
struct SharedConstant {
  std::string symbol;
  std::vector<char> bytes;
  uint64_t alignment = 1;
};

/// A dimension that a call chooses, from `least` to `most`; one size if they
/// are the same.
struct SizeRange {
  int64_t least = 1, most = 1;
};

/// The shape of an argument.
struct ArgumentShape {
  /// The argument's name or its position; empty for the next argument whose
  /// sizes are not known.
  std::string name;
  std::vector<SizeRange> sizes;
};

/// The code of a model for arrays of some sizes.
struct SizedCode {
  /// By the number of DeployedModel::sizes.
  std::vector<int64_t> sizes;
  std::string symbol;
  compile::Signature signature;
};

/// The code of a model for some processors.
struct DeployedVariant : Variant {
  uint64_t arenaBytes = 0;
};

/// Memory that a model needs of a device, and the code that it runs there.
struct DeviceNeeds {
  /// As dispatches name it.
  std::string name;
  uint64_t bytes = 0;
  /// A constant, or a part of it, that is there before the first call.
  struct Constant {
    uint32_t index = 0;
    /// In the constant, and in the memory of the device.
    uint64_t begin = 0, offset = 0;
    uint64_t bytes = 0;
  };
  std::vector<Constant> constants;
  /// Symbols, in the order of their first dispatches.
  std::vector<std::string> kernels;
};

/// A part of a model's memory, for a Cortex-M's unit for memory protection.
struct ProtectedRegion {
  /// "code", "constants", "state" or "arena".
  llvm::StringRef name;
  /// Those of the region, at least the part's.
  uint64_t bytes = 0;
  uint64_t alignment = 0;
  bool isExecuted = false;
  bool isWritten = false;
};

/// A model for one target.
struct DeployedModel {
  /// An identifier of C with which all names of the package begin.
  std::string name;
  /// The code that a program chooses from, the best last; none if there is only
  /// that of the target.
  std::vector<DeployedVariant> variants;
  /// The sizes that a call chooses, and the code for each choice, the last size
  /// counting fastest; none if all are known.
  std::vector<SizeRange> sizes;
  std::vector<SizedCode> sizedCode;
  /// With several codes, all constants.
  std::vector<SharedConstant> constants;
  /// As the user names it.
  std::string targetName;
  codegen::TargetModel target;
  compile::Signature signature;
  /// The host side first, if it is code.
  std::vector<PackageObject> objects;
  uint64_t arenaBytes = 0;
  /// The bytes of the variables before the first call; their memory is the
  /// caller's.
  std::vector<char> firstState;
  /// Whether the function that runs the model checks addresses unless the
  /// program that is compiled with the header says otherwise.
  bool hasChecks = false;
  /// The name for --control.
  std::string controlName;
  /// The dispatches, if the control needs them.
  std::optional<codegen::HostGraph> graph;
  /// Whether more urgent requests run between its dispatches.
  bool yields = false;
  /// In the order of HostGraph::devices.
  std::vector<DeviceNeeds> devices;
  /// Files that the control adds to those of the container.
  std::vector<PackageFile> files;
  /// A part of the header, before the function that runs the model.
  std::string declarations;
  /// A part that follows what the header says of devices.
  std::string tables;
  /// Whether the objects or the files define that function; if so, whether it
  /// is the model's interpreter that it needs.
  bool hasEntry = true;
  bool needsInterpreter = false;
  /// Whether the package has containers that are linked with a program, and
  /// those that the runtime loads.
  bool isLinked = true, isLoaded = false;
  /// The parts for the unit for memory protection; empty if the target does not
  /// have one.
  std::vector<ProtectedRegion> regions;
  /// Symbols for programs that load the package.
  std::vector<std::string> exported;
};

/// The bytes of all objects.
Sizes addSizes(const DeployedModel &model);

/// Those of a variant alone; of an empty name, those of no variant.
Sizes addSizes(const DeployedModel &model, llvm::StringRef variant);

/// "speed", "balanced" or "size".
llvm::StringRef getName(codegen::CodeGoal goal);

/// The memory that a machine has for a model; without a number, enough.
struct Budget {
  /// For code, constants and first values of variables.
  std::optional<uint64_t> flashBytes;
  /// For the arena and the variables of one instance; the stack, arguments and
  /// results are not part of it.
  std::optional<uint64_t> ramBytes;
};

/// Fails if `model` needs more than `budget`, and says how much more.
llvm::Error checkBudget(const DeployedModel &model, const Budget &budget);

/// How a package is linked. To add one, add a file in lib/Deploy/Containers and
/// a line in Containers.def there.
struct Container {
  /// The name for --container.
  llvm::StringRef name;
  llvm::StringRef description;
  /// The files of the package, without the header and the sizes.
  llvm::Expected<std::vector<PackageFile>> (*pack)(const DeployedModel &model);
  /// Whether the runtime loads it, so that its code runs at any address.
  bool isLoaded = false;
  /// Whether it has the objects, for the linker of a program.
  bool hasObjects = false;
};
llvm::ArrayRef<Container> getContainers();

/// The form of a package's host side, which calls the kernels. To add one, add
/// a file in lib/Deploy/Controls and a line in Controls.def there.
struct Control {
  /// The name for --control.
  llvm::StringRef name;
  llvm::StringRef description;
  /// Whether it is made from DeployedModel::graph. The model then does not have
  /// the code of its host side.
  bool needsGraph = false;
  /// Adds what the control consists of to a model with its kernels.
  llvm::Error (*apply)(DeployedModel &model) = nullptr;
  /// Whether the host side lets more urgent requests run between dispatches,
  /// which takes a graph; a user's choice.
  bool yields = false;
};
llvm::ArrayRef<Control> getControls();

/// Choices of a user for a package.
struct PackageChoices {
  /// If not empty, the processors that the package has code for.
  std::vector<Variant> variants;
  /// Shapes of arguments whose sizes are not known.
  std::vector<ArgumentShape> shapes;
  /// If set, receives what was chosen in place of the user.
  std::function<void(llvm::StringRef)> onNote;
};

/// Compiles `module`, which is consumed, for `options.target`, which does not
/// have a heap, or for each of the variants of it. First dimensions that are
/// not known are 1 without a shape. Other sizes that are not known, and values
/// that cannot be passed are errors that name the op or value.
llvm::Expected<DeployedModel>
deployModel(mlir::OwningOpRef<mlir::ModuleOp> module, llvm::StringRef name,
            llvm::StringRef targetName, compile::CompileOptions options,
            const Control &control, const PackageChoices &choices = {});

/// The interface of `model` for C and C++, NAME.h.
std::string writeHeader(const DeployedModel &model);

/// The version of Arm's Protected Memory System Architecture that `target` has,
/// 7 or 8; none for other processors than Cortex-M.
std::optional<unsigned>
getProtectionVersion(const codegen::TargetModel &target);

/// The sizes and alignments of the regions of `model`, for a linker's script,
/// NAME.ld.
std::string writeRegionScript(const DeployedModel &model);

/// "schema": "mlir-prof.sizes/1".
std::string writeSizes(const DeployedModel &model);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_DEPLOY_DEPLOY_H
