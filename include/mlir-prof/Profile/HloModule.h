//===- HloModule.h - XLA programs in profiles -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_HLOMODULE_H
#define MLIR_PROF_PROFILE_HLOMODULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

namespace mlirprof::profile {

/// A source range; if unknown, file and function are empty, and numbers 0.
struct SourceFrame {
  std::string file;
  std::string function;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t endLine = 0;
  uint32_t endColumn = 0;
  /// 1-based index of the calling frame in HloModule::frames, 0 for none.
  uint32_t parent = 0;
};

/// An array shape, or the shapes of a tuple's elements. `elementType` is the
/// number of XLA's PrimitiveType (11 is f32; 13 is a tuple).
struct HloShape {
  /// Whether `dimension` is valid: a size, or a marker of a dynamic size as
  /// written by XLA (the least integer) or MLIR and ONNX (-1).
  static bool isSize(int64_t dimension) {
    return dimension >= -1 || dimension == std::numeric_limits<int64_t>::min();
  }

  uint32_t elementType = 0;
  std::vector<int64_t> dimensions;
  std::vector<HloShape> tuple;
};

struct HloInstruction {
  std::string name;
  std::string opcode;
  int64_t id = 0;
  HloShape shape;
  std::string opName;
  std::string opType;
  std::string sourceFile;
  uint32_t sourceLine = 0;
  /// 1-based index into HloModule::frames, 0 for none.
  uint32_t frame = 0;
  std::string fusionKind;
  std::string customCallTarget;
  int64_t parameterNumber = 0;
  std::vector<int64_t> operandIds;
  std::vector<int64_t> calledComputationIds;
  /// Contracting dimensions of the left operand, for `dot`.
  std::vector<int64_t> lhsContractingDimensions;
  /// Index of its computation in HloModule::computations.
  uint32_t computation = 0;
};

struct HloComputation {
  std::string name;
  int64_t id = 0;
  int64_t rootId = 0;
  bool isFusion = false;
  /// Its instructions are [firstInstruction, firstInstruction + size) of the
  /// module's.
  uint32_t firstInstruction = 0;
  uint32_t size = 0;
};

struct HloModule {
  std::string name;
  /// The number in `program_id` of events: the key of the proto in the plane
  /// /host:metadata.
  int64_t programId = 0;
  /// HloModuleProto::id.
  int64_t id = 0;
  std::string entryComputationName;
  int64_t entryComputationId = 0;
  std::vector<HloComputation> computations;
  std::vector<HloInstruction> instructions;
  std::vector<SourceFrame> frames;
};

/// Look-ups in an HloModule, which must outlive it. Safe on hostile modules:
/// dangling and cyclic references are ignored.
class HloIndex {
public:
  explicit HloIndex(const HloModule &module);

  const HloModule &getModule() const { return module; }
  /// Index of the instruction `name`, or kNone.
  uint32_t find(llvm::StringRef name) const;
  uint32_t findId(int64_t id) const;
  /// Indices of the instructions that use `instruction` as an operand.
  llvm::ArrayRef<uint32_t> getUsers(uint32_t instruction) const;
  /// The instructions that run when `instruction` does: for a fusion or a call
  /// those of the called computations, recursively, without the free ones
  /// (isFree); else itself, unless it is free. In file order, without repeats.
  llvm::SmallVector<uint32_t> getMembers(uint32_t instruction) const;
  /// The instructions that need the result of `instruction`: its users, looking
  /// through free ones (which are listed too), in file order without repeats.
  /// If there are very many, only the nearest, which begin first: a chain of
  /// free ones queried one by one would otherwise take quadratic time.
  static constexpr size_t kMaxConsumers = 256;
  struct Consumers {
    llvm::SmallVector<uint32_t> instructions;
    /// Whether further ones may exist.
    bool isCut = false;
  };
  Consumers getConsumers(uint32_t instruction) const;

  /// Opcodes that are free at run time: parameter, constant, tuple,
  /// get-tuple-element, bitcast.
  static bool isFree(llvm::StringRef opcode);

private:
  const HloModule &module;
  llvm::StringMap<uint32_t> byName;
  // Not DenseMap: hostile ids may equal its reserved keys.
  std::unordered_map<int64_t, uint32_t> byId;
  std::unordered_map<int64_t, uint32_t> computationById;
  std::vector<uint32_t> userBegin;
  std::vector<uint32_t> users;
};

/// The HLO module of an op key (`name`, `programId`): the one with that name
/// and id, else the first one with that name, else null.
const HloModule *findHloModule(llvm::ArrayRef<HloModule> modules,
                               llvm::StringRef name,
                               std::optional<int64_t> programId);

/// The same look-ups in constant time; `modules` must outlive it unchanged.
class HloModuleTable {
public:
  explicit HloModuleTable(llvm::ArrayRef<HloModule> modules);

  /// The same result as findHloModule.
  const HloModule *find(llvm::StringRef name,
                        std::optional<int64_t> programId) const;
  /// The first module with this program id, or null.
  const HloModule *findProgram(int64_t programId) const;

private:
  struct OfName {
    const HloModule *first = nullptr;
    std::unordered_map<int64_t, const HloModule *> byProgram;
  };
  llvm::StringMap<OfName> byName;
  std::unordered_map<int64_t, const HloModule *> byProgram;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_HLOMODULE_H
