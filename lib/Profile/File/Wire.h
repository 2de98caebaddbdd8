//===- Wire.h - Forms of a profile's parts in a file ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a message of the file differs from the struct in memory, and what the
// protobuf and the JSON form share: strings, event blocks, checks.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_FILE_WIRE_H
#define MLIR_PROF_LIB_PROFILE_FILE_WIRE_H

#include "KeyRecord.h"
#include "mlir-prof/Profile/Profile.h"
#include "llvm/Support/Error.h"

#include <limits>
#include <type_traits>

namespace mlirprof::profile::schema {

/// Messages may nest this deep (protobuf's own customary limit).
inline constexpr unsigned kMaxDepth = 100;

/// What a profile may take in memory at least, whatever its size.
inline constexpr uint64_t kMinMemory = uint64_t(512) << 20;

/// A Summary with plain members.
struct SummaryWire {
  uint64_t count = 0;
  int64_t sum = 0;
  uint64_t sumSquaresLow = 0;
  uint64_t sumSquaresHigh = 0;
  int64_t min = 0;
  int64_t max = 0;
  bool saturated = false;
  uint32_t histogramFirst = 0;
  std::vector<uint64_t> histogramCounts;
};

/// Which message a struct is written as; itself unless specialized.
template <typename T>
struct WireOf {
  using type = T;
};
template <>
struct WireOf<Summary> {
  using type = SummaryWire;
};

template <>
struct WireOf<OpKey> {
  using type = KeyRecord;
};

SummaryWire toWire(const Summary &summary);
/// False when the histogram does not fit.
bool fromWire(SummaryWire &&wire, Summary &summary);

/// Up to kEventsPerBlock kept events of one run, as columns.
struct EventBlock {
  uint32_t run = 0;
  std::vector<uint32_t> track;
  std::vector<uint32_t> name;
  /// 0 for events without an op key.
  std::vector<uint32_t> opPlusOne;
  /// Difference from the event before in this block, for the first from 0.
  std::vector<int64_t> beginDeltaPs;
  std::vector<int64_t> durationPs;
  /// Both empty when no event of the block has any.
  std::vector<int64_t> beginCode;
  std::vector<int64_t> endCode;
};

/// All blocks of a run but the last are of this size; fixed by the format, so
/// that a block's place says which events it has.
inline constexpr size_t kEventsPerBlock = size_t(1) << 20;

/// Events [begin, begin + kEventsPerBlock) of a run, as far as there are some.
EventBlock makeEventBlock(const Run &run, uint32_t runIndex, size_t begin);

/// The outermost message; P is Profile or const Profile.
template <typename P>
struct Document {
  explicit Document(P &profile) : profile(profile) {}

  std::string schema;
  uint32_t minor = 0;
  P &profile;
  std::vector<EventBlock> keptEvents;
};

/// What stands in a file for a member whose -1 means "none": 0 for that, else
/// one more.
template <typename T>
uint64_t toPlusOne(T member) {
  if (std::is_signed_v<T> ? member < T(0) : member == T(-1))
    return 0;
  return uint64_t(member) + 1;
}
/// False when it is out of range.
template <typename T>
bool fromPlusOne(uint64_t wire, T &member) {
  if (wire != 0 && wire - 1 > uint64_t(std::numeric_limits<T>::max()))
    return false;
  member = T(wire - 1);
  // The largest unsigned number is "none" already.
  return wire == 0 || member != T(-1);
}

/// What is wrong with the indices of a program, or "".
std::string checkProgram(const Program &program);

/// What may be of a quantity.
struct SummaryRule {
  bool mayBeNegative = false;
  /// The sum is not that of the values: in a recursion it is the time of the
  /// outermost executions.
  bool hasOwnSum = false;
};

/// What is wrong with a summary, or "". Sums that passed the limits of their
/// types say nothing about their values any more.
llvm::StringRef findSummaryFault(const Summary &summary, SummaryRule rule);

/// What is impossible in an HLO module whose indices are right, with its place
/// in the module, or "".
std::string findHloFault(const HloModule &module);

/// Where kept events of a run, in order, contradict what was summed up of all,
/// or "".
std::string findKeptFault(const Run &run);

/// The most that opBusyPs and opInflightPs of a run can be: a union is no
/// longer than all that was united. Saturated where its sums are.
struct BusyLimits {
  int64_t busyPs = 0;
  int64_t inflightPs = 0;
};
BusyLimits getBusyLimits(const Run &run);

/// What is impossible in the values of a profile whose indices are right, with
/// its place, or "".
std::string checkValues(const Profile &profile);

/// Whether contentHash() may have made `text`: 32 hexadecimal digits.
bool isContentHash(llvm::StringRef text);

/// Gives levels that older versions called otherwise the names of today, and
/// their programs new fingerprints, here and wherever they are named.
void renameLevels(Profile &profile);

/// Moves the blocks into their runs and checks every index and every value of
/// the profile.
llvm::Error completeProfile(Document<Profile> &document, llvm::StringRef where);

/// protobuf and JSON strings are UTF-8, those of a trace need not be. A byte
/// that is not part of valid UTF-8 becomes the private character U+10FE00 +
/// byte; those that are such characters already are treated as invalid, so that
/// fromUtf8 gives every string back.
std::string toUtf8(llvm::StringRef bytes);
std::string fromUtf8(llvm::StringRef text);

} // namespace mlirprof::profile::schema

#endif // MLIR_PROF_LIB_PROFILE_FILE_WIRE_H
