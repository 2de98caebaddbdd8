//===- HostGraph.h - The host side of a model as data -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the host side consists of dispatches on memory of known places, and of
// branches and loops over them, whoever runs the model needs this list only,
// not the code of the host side.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_HOSTGRAPH_H
#define MLIR_PROF_CODEGEN_HOSTGRAPH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlirprof::codegen {

/// Memory of which a place is a part. `State` is that of the variables,
/// `Number` that of the number `HostPlace::index`, and `Device` that of the
/// device HostGraph::devices[HostPlace::index].
enum class PlaceKind : uint8_t {
  Argument,
  Result,
  Arena,
  Constant,
  State,
  Number,
  Device
};

/// Bytes that a dispatch reads or writes.
struct HostPlace {
  PlaceKind kind = PlaceKind::Argument;
  /// The number of the argument, result or constant; 0 for the arena and the
  /// state.
  uint32_t index = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  bool isWritten = false;
  /// Whether the bytes matter that are there before a dispatch.
  bool isRead = true;
  /// "4x8xf32", or "i64" for a number.
  std::string type;
};

/// Bytes that are the same in each call.
struct HostConstant {
  std::vector<char> bytes;
  uint64_t alignment = 64;
  /// As in HostPlace.
  std::string type;
};

/// A number of 64 bits that is known, or one that steps compute.
struct HostNumber {
  bool isKnown = true;
  /// The value, or which of HostGraph::numberCount.
  int64_t value = 0;
};

enum class HostStepKind : uint8_t {
  /// A call of a kernel with a grid of one workgroup.
  Dispatch,
  /// A copy of the first binding to the second.
  Copy,
  /// A copy of the first binding between the host and HostStep::device, which
  /// does it after what it was given before, while the steps go on.
  Transfer,
  /// The steps go on when HostStep::device is done with all dispatches and
  /// transfers.
  Wait,
  /// A number becomes the integer in memory at the first binding.
  Load,
  /// A number becomes the result of an operation.
  Compute,
  /// The first block runs if the first operand is not 0, else the second.
  If,
  /// The first block runs, then the second if the first operand is not 0, and
  /// so on.
  While
};

/// Operations on numbers of HostStep::bits bits, to which results are wrapped:
/// all numbers have a sign but those of one bit, which are 0 or 1. A selection
/// is the second operand if the first one is not 0, else the third. A division
/// by zero is 0, as is a shift by more than there are bits.
enum class HostOperation : uint8_t {
  Assign,
  Add,
  Subtract,
  Multiply,
  DivideSigned,
  DivideUnsigned,
  RemainderSigned,
  RemainderUnsigned,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRightSigned,
  ShiftRightUnsigned,
  Equal,
  NotEqual,
  LessSigned,
  LessEqualSigned,
  LessUnsigned,
  LessEqualUnsigned,
  Select,
  /// From fewer bits, without a sign.
  ExtendUnsigned
};

struct HostStep {
  HostStepKind kind = HostStepKind::Dispatch;
  /// The symbol of the kernel of a dispatch.
  std::string kernel;
  /// Places of a dispatch, a copy or a load.
  std::vector<HostPlace> bindings;
  /// The number of the dispatch, if they are numbered.
  std::optional<uint32_t> instance;
  /// Which of HostGraph::devices does a dispatch, a transfer or a wait; none
  /// for the host.
  std::optional<uint32_t> device;
  /// The direction of a transfer.
  bool isToDevice = false;
  /// Sizes that the types of a dispatch's kernel do not tell.
  std::vector<int64_t> parameters;
  /// The operation of a computation.
  HostOperation operation = HostOperation::Assign;
  std::vector<HostNumber> operands;
  /// The bits of the result; of ExtendUnsigned those of the operand.
  unsigned bits = 64;
  /// The number that a load or an operation sets.
  uint32_t result = 0;
  std::vector<HostStep> blocks[2];
};

struct HostGraph {
  /// The names of devices that steps use, besides the host. Constants that
  /// their dispatches read are there before the first call.
  std::vector<std::string> devices;
  std::vector<HostConstant> constants;
  /// In order: each may read what an earlier one wrote.
  std::vector<HostStep> steps;
  /// The sizes of arguments and results, in order.
  std::vector<uint64_t> argumentBytes, resultBytes;
  /// Each number is set before it is read.
  uint32_t numberCount = 0;
};

/// Calls `visit` with all steps, each before those in its blocks.
void walkSteps(llvm::ArrayRef<HostStep> steps,
               llvm::function_ref<void(const HostStep &step)> visit);

/// The bytes, of which there are `size`, of a constant's value; none if they
/// are not known.
using ConstantReader = llvm::function_ref<std::optional<std::vector<char>>(
    mlir::Attribute value, uint64_t size)>;

/// The steps of `function`, whose buffers have places in memory of its caller
/// (cpu-place-workspace) and whose first `arguments` arguments are those of the
/// model. An op that is not a step, such as one that computes a float, is an
/// error at the op.
mlir::FailureOr<HostGraph> extractHostGraph(mlir::func::FuncOp function,
                                            unsigned arguments,
                                            ConstantReader readConstant);

/// The bytes of the model's variables before the first call, from the function
/// that resets them (cpu-place-state) and is removed; none without variables.
mlir::FailureOr<std::vector<char>> takeFirstState(mlir::ModuleOp module,
                                                  ConstantReader readConstant);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_HOSTGRAPH_H
