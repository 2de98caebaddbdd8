//===- Speedscope.h - speedscope's files ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_SPEEDSCOPE_SPEEDSCOPE_H
#define MLIR_PROF_LIB_IMPORT_SPEEDSCOPE_SPEEDSCOPE_H

#include "../Common/Lanes.h"
#include "../Common/Stacks.h"
#include "Parts.h"
#include "mlir-prof/Import/Importer.h"

namespace mlirprof::importer::speedscope {

bool detect(llvm::StringRef bytes);
llvm::Error read(const ImportInput &input, profile::ProfileBuilder &builder);

/// The unit of a profile's values.
struct Unit {
  enum class Kind : uint8_t { None, Time, Bytes } kind = Kind::None;
  int64_t psPerUnit = 0;
  /// Decimal digits from the number's unit down to the stored one (picoseconds,
  /// bytes).
  int digits = 0;
};

/// Reads the profiles of one file in order. Its functions throw simdjson's
/// errors.
class Reader {
public:
  Reader(const ImportInput &input, profile::ProfileBuilder &builder)
      : input(input), builder(builder), stacks(builder, input) {}

  llvm::Error read();

private:
  using Value = simdjson::ondemand::value;
  using Object = simdjson::ondemand::object;

  /// An event of type "O" or "C".
  struct Change {
    bool opens = false;
    uint32_t frame = 0;
    __int128 at = 0;
  };

  /// The members of a profile, in any order.
  struct ProfileParts {
    std::string name;
    Unit unit;
    Part samples, weights, events;
  };

  llvm::Error readFile(Part file);
  void readElements(Part list, llvm::function_ref<void(Value)> onElement);
  void readFrames(Part shared);
  void readFrame(Object frame);
  llvm::Error readProfile(Object object);
  llvm::Error readSampled(const ProfileParts &profile);
  llvm::Error readEvented(const ProfileParts &profile);
  Change readChange(Object event, const Unit &unit);
  std::vector<Change> readChanges(const ProfileParts &profile);
  void addSlices(const std::vector<Change> &changes, llvm::StringRef name);
  llvm::Error addStacks(const std::vector<Change> &changes, const Unit &unit);
  /// False if it needs too much memory.
  bool addSample(llvm::ArrayRef<uint32_t> outermostFirst, const Unit &unit,
                 __int128 value);
  __int128 readNumber(Value value, const Unit &unit);
  uint32_t getFrame(uint64_t index);
  void finish();

  const ImportInput &input;
  profile::ProfileBuilder &builder;
  PartReader parts;
  Stacks stacks;
  /// Names, and op keys of slices, for the shared frames.
  std::vector<uint32_t> frames;
  std::vector<uint32_t> ops;
  std::vector<uint32_t> scratch;
  /// Slices before their origin is known.
  struct Slice {
    __int128 begin, end;
    uint32_t name, op;
  };
  struct SliceLane {
    uint32_t track;
    std::vector<Slice> slices;
  };
  std::vector<SliceLane> lanes;
  uint64_t badNumbers = 0, badFrames = 0, badOrder = 0, unbalanced = 0;
  uint64_t unmatchedWeights = 0, otherTypes = 0, outOfRange = 0;
};

} // namespace mlirprof::importer::speedscope

#endif // MLIR_PROF_LIB_IMPORT_SPEEDSCOPE_SPEEDSCOPE_H
