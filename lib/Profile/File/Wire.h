//===- Wire.h - File forms of a profile's parts -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions where a message of the file differs from the struct in memory,
// and the common parts of the protobuf and the JSON form: strings, event
// blocks, checks.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_FILE_WIRE_H
#define MLIR_PROF_LIB_PROFILE_FILE_WIRE_H

#include "JobMessage.h"
#include "KeyRecord.h"
#include "ScopeRecord.h"
#include "mlir-prof/Profile/Profile.h"
#include "llvm/Support/Error.h"

#include <limits>
#include <type_traits>

namespace mlirprof::profile::schema {

/// Limit on the nesting of messages (protobuf's own customary limit).
inline constexpr unsigned kMaxDepth = 100;

/// Minimum memory limit for a profile, regardless of its size.
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

/// The message type as which a struct is written; itself unless specialized.
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
/// False if the histogram does not fit.
bool fromWire(SummaryWire &&wire, Summary &summary);

/// Up to kEventsPerBlock kept events of one run, as columns.
struct EventBlock {
  uint32_t run = 0;
  std::vector<uint32_t> track;
  std::vector<uint32_t> name;
  /// 0 for events without an op key.
  std::vector<uint32_t> opPlusOne;
  /// Difference from the previous event in this block; for the first one, from
  /// 0.
  std::vector<int64_t> beginDeltaPs;
  std::vector<int64_t> durationPs;
  /// Both empty if no event of the block has any.
  std::vector<int64_t> beginCode;
  std::vector<int64_t> endCode;
  /// Position of the launching event minus its own; 0 for none. Empty if no
  /// event of the block has one.
  std::vector<int64_t> launchOffset;
};

/// The size of all blocks of a run but the last; fixed by the format, so that a
/// block's position determines its events.
inline constexpr size_t kEventsPerBlock = size_t(1) << 20;

/// Events [begin, begin + kEventsPerBlock) of a run, as far as they exist.
EventBlock makeEventBlock(const Run &run, uint32_t runIndex, size_t begin);

/// The outermost message; P is Profile or const Profile.
template <typename P>
struct Document {
  explicit Document(P &profile) : profile(profile) {}

  std::string schema;
  uint32_t minor = 0;
  P &profile;
  std::vector<EventBlock> keptEvents;
  ScopeMessages scopes;
  std::vector<JobMessage> jobs;
};

/// The encoding of a member whose -1 means "none": 0 for that, else one more.
template <typename T>
uint64_t toPlusOne(T member) {
  if (std::is_signed_v<T> ? member < T(0) : member == T(-1))
    return 0;
  return uint64_t(member) + 1;
}
/// False if it is out of range.
template <typename T>
bool fromPlusOne(uint64_t wire, T &member) {
  if (wire != 0 && wire - 1 > uint64_t(std::numeric_limits<T>::max()))
    return false;
  member = T(wire - 1);
  // The largest unsigned number already means "none".
  return wire == 0 || member != T(-1);
}

/// A description of the problem with a program's indices, or "".
std::string checkProgram(const Program &program);

/// Constraints on a quantity.
struct SummaryRule {
  bool mayBeNegative = false;
  /// The sum is independent of the values: in a recursion it is the time of the
  /// outermost executions.
  bool hasOwnSum = false;
};

/// A description of the problem with a summary, or "". Sums that exceeded the
/// limits of their types no longer constrain their values.
llvm::StringRef findSummaryFault(const Summary &summary, SummaryRule rule);

/// A description of impossible values in an HLO module with valid indices, with
/// their place in the module, or "".
std::string findHloFault(const HloModule &module);

/// A description of a contradiction between kept events of a run, in order, and
/// the sums of all events, or "".
std::string findKeptFault(const Run &run);

/// A description of a wrong index or impossible value in a recording of scopes,
/// with its place, or "".
std::string findScopeFault(const scope::Recording &recording);

/// Upper limits on opBusyPs and opInflightPs of a run: a union is not longer
/// than the sum of its parts. Saturated if its sums are.
struct BusyLimits {
  int64_t busyPs = 0;
  int64_t inflightPs = 0;
};
BusyLimits getBusyLimits(const Run &run);

/// A description of impossible values in a profile with valid indices, with
/// their place, or "".
std::string checkValues(const Profile &profile);

/// Whether `text` may be a result of contentHash(): 32 hexadecimal digits.
bool isContentHash(llvm::StringRef text);

/// Renames levels with names from older versions, and gives their programs new
/// fingerprints, here and wherever they are referenced.
void renameLevels(Profile &profile);

/// Moves the blocks into their runs, for which it charges `memory`, and checks
/// every index and every value of the profile.
llvm::Error completeProfile(Document<Profile> &document, MemoryBudget &memory,
                            llvm::StringRef where);

/// protobuf and JSON strings are UTF-8, but those of a trace need not be. A
/// byte that is not part of valid UTF-8 becomes the private character U+10FE00
/// + byte; existing characters of this kind are treated as invalid, so that
/// fromUtf8 restores every string.
std::string toUtf8(llvm::StringRef bytes);
std::string fromUtf8(llvm::StringRef text);

} // namespace mlirprof::profile::schema

#endif // MLIR_PROF_LIB_PROFILE_FILE_WIRE_H
