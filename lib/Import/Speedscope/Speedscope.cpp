//===- Speedscope.cpp - speedscope's files --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Speedscope.h"
#include "../Importers.h"
#include "../Json/Decimal.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlirprof;
using namespace mlirprof::speedscope;
namespace ondemand = simdjson::ondemand;

bool speedscope::detect(llvm::StringRef bytes) {
  // Nobody else has a list of frames under "shared".
  if (!bytes.ltrim().starts_with("{"))
    return false;
  if (bytes.take_front(4096).contains("speedscope.app/file-format-schema"))
    return true;
  // Other formats of JSON are large: only the beginning is looked at.
  bytes = bytes.take_front(size_t(1) << 20);
  size_t shared = bytes.find("\"shared\"");
  return shared != llvm::StringRef::npos &&
         bytes.substr(shared, 256).contains("\"frames\"") &&
         bytes.contains("\"profiles\"");
}

static llvm::StringRef toRef(std::string_view text) {
  return llvm::StringRef(text.data(), text.size());
}

/// Throws what makes the rest of the document unreadable; true when a member is
/// just not there or of another type.
static bool isAbsent(simdjson::error_code error) {
  if (error && error != simdjson::NO_SUCH_FIELD &&
      error != simdjson::INCORRECT_TYPE)
    throw simdjson::simdjson_error(error);
  return error;
}

/// The text of a member, "" when there is none.
static std::string getText(ondemand::object object, std::string_view key) {
  std::string_view text;
  if (isAbsent(object.find_field_unordered(key).get_string().get(text)))
    return "";
  return std::string(text);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void Reader::readUnit(Object profile, Unit &unit) {
  std::string text = getText(profile, "unit");
  unit.psPerUnit = getPsPerUnit(text);
  if (unit.psPerUnit) {
    unit.kind = Unit::Kind::Time;
    for (int64_t ps = unit.psPerUnit; ps > 1; ps /= 10)
      ++unit.digits;
  } else if (text == "bytes") {
    unit.kind = Unit::Kind::Bytes;
  }
}

/// From its text: times must not pass through a double.
__int128 Reader::readNumber(Value value, const Unit &unit) {
  llvm::StringRef text = toRef(value.raw_json_token());
  json::WidePs number = 0;
  if (!json::parseDecimalTime(text.trim(), json::DecimalUnit(unit.digits),
                              number))
    ++badNumbers;
  return number;
}

uint32_t Reader::getFrame(uint64_t index) {
  if (index < frames.size())
    return uint32_t(index);
  ++badFrames;
  return uint32_t(frames.size() - 1);
}

/// The last frame is that of indices which are not in the file.
void Reader::readFrames(Object document) {
  ondemand::object shared;
  ondemand::array list;
  if (!isAbsent(document.find_field_unordered("shared").get(shared)) &&
      !isAbsent(shared.find_field_unordered("frames").get(list)))
    for (auto item : list) {
      std::string name = getText(item.get_object().value(), "name");
      frames.push_back(builder.addName(name.empty() ? "(no name)" : name));
    }
  frames.push_back(builder.addName("frame that is not in the file"));
  ops.assign(frames.size(), kNone);
}

//===----------------------------------------------------------------------===//
// Sampled profiles
//===----------------------------------------------------------------------===//

static int64_t clampTo64(__int128 value) {
  return int64_t(std::clamp<__int128>(value,
                                      std::numeric_limits<int64_t>::min(),
                                      std::numeric_limits<int64_t>::max()));
}

bool Reader::addSample(llvm::ArrayRef<uint32_t> outermostFirst,
                       const Unit &unit, __int128 value) {
  scratch.clear();
  for (uint32_t frame : llvm::reverse(outermostFirst)) {
    scratch.push_back(frames[frame]);
    if (scratch.size() > Stacks::kMostFrames)
      break;
  }
  StackValues values;
  int64_t number = clampTo64(value);
  switch (unit.kind) {
  case Unit::Kind::Time:
    stacks.hasTime = true;
    values.timePs = number;
    break;
  case Unit::Kind::Bytes:
    stacks.hasBytes = true;
    values.bytes = number;
    break;
  case Unit::Kind::None:
    stacks.hasSamples = true;
    values.samples = number;
    break;
  }
  return stacks.add(scratch, values);
}

llvm::Error Reader::readSampled(Object profile, const Unit &unit) {
  std::vector<__int128> weights;
  for (auto weight :
       profile.find_field_unordered("weights").get_array().value())
    weights.push_back(readNumber(weight.value(), unit));
  std::vector<uint32_t> stack;
  size_t index = 0;
  for (auto sample :
       profile.find_field_unordered("samples").get_array().value()) {
    stack.clear();
    for (auto frame : sample.get_array().value())
      stack.push_back(getFrame(frame.get_uint64().value()));
    if (index >= weights.size()) {
      ++unmatchedWeights;
      continue;
    }
    if (!addSample(stack, unit, weights[index++]))
      return stacks.tooLarge(input.where);
  }
  unmatchedWeights += weights.size() - index;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Evented profiles
//===----------------------------------------------------------------------===//

std::vector<Reader::Change> Reader::readChanges(Object profile,
                                                const Unit &unit) {
  std::vector<Change> changes;
  for (auto item : profile.find_field_unordered("events").get_array().value()) {
    ondemand::object event = item.get_object().value();
    Change change;
    change.opens = getText(event, "type") == "O";
    change.frame =
        getFrame(event.find_field_unordered("frame").get_uint64().value());
    change.at = readNumber(event.find_field_unordered("at").value(), unit);
    if (!changes.empty() && change.at < changes.back().at) {
      // Time stands still: what is certain is the order.
      change.at = changes.back().at;
      ++badOrder;
    }
    changes.push_back(change);
  }
  return changes;
}

/// Intervals of time become events of a track.
void Reader::addSlices(const std::vector<Change> &changes,
                       llvm::StringRef name) {
  Track track;
  track.line = uint32_t(lanes.size());
  track.id = int64_t(lanes.size());
  track.name = name.str();
  SliceLane lane;
  lane.track = builder.addTrack(std::move(track));
  std::vector<size_t> open;
  auto close = [&](__int128 at) {
    lane.slices[open.back()].end = at;
    open.pop_back();
  };
  for (const Change &change : changes) {
    uint32_t frameName = frames[change.frame];
    if (change.opens) {
      uint32_t &op = ops[change.frame];
      if (op == kNone) {
        OpKey key;
        key.op = builder.getProfile().strings[frameName];
        op = builder.addOpKey(std::move(key));
      }
      open.push_back(lane.slices.size());
      lane.slices.push_back({change.at, change.at, frameName, op});
    } else if (!open.empty() && lane.slices[open.back()].name == frameName) {
      close(change.at);
    } else {
      ++unbalanced;
    }
  }
  unbalanced += open.size();
  // What is open at the end of a profile ends there.
  while (!open.empty())
    close(changes.back().at);
  lanes.push_back(std::move(lane));
}

/// Values that are no times: what lies between two changes belongs to the stack
/// that was open.
llvm::Error Reader::addStacks(const std::vector<Change> &changes,
                              const Unit &unit) {
  std::vector<uint32_t> open;
  __int128 last = 0;
  for (const Change &change : changes) {
    if (!open.empty() && change.at != last &&
        !addSample(open, unit, change.at - last))
      return stacks.tooLarge(input.where);
    last = change.at;
    if (change.opens)
      open.push_back(change.frame);
    else if (!open.empty() && open.back() == change.frame)
      open.pop_back();
    else
      ++unbalanced;
  }
  unbalanced += open.size();
  return llvm::Error::success();
}

llvm::Error Reader::readEvented(Object profile, const Unit &unit,
                                llvm::StringRef name) {
  std::vector<Change> changes = readChanges(profile, unit);
  if (unit.kind != Unit::Kind::Time)
    return addStacks(changes, unit);
  addSlices(changes, name);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

llvm::Error Reader::readProfile(Object profile) {
  Unit unit;
  readUnit(profile, unit);
  std::string name = getText(profile, "name");
  std::string type = getText(profile, "type");
  if (type == "sampled")
    return readSampled(profile, unit);
  if (type == "evented")
    return readEvented(profile, unit, name);
  ++otherTypes;
  return llvm::Error::success();
}

void Reader::finish() {
  // Times may count from the epoch; then picoseconds would overflow.
  constexpr __int128 kFar = __int128(1) << 62;
  __int128 first = 0;
  bool isFar = false;
  for (const SliceLane &lane : lanes)
    for (const Slice &slice : lane.slices) {
      first = first == 0 ? slice.begin : std::min(first, slice.begin);
      isFar |= slice.end > kFar || slice.begin < -kFar;
    }
  __int128 origin = isFar ? first : 0;
  std::vector<Lane> ordered;
  for (SliceLane &lane : lanes) {
    Lane &result = ordered.emplace_back();
    result.track = lane.track;
    for (const Slice &slice : lane.slices) {
      int64_t begin = clampTo64(slice.begin - origin);
      int64_t end = clampTo64(slice.end - origin);
      outOfRange += end != slice.end - origin || begin != slice.begin - origin;
      result.events.push_back({begin, end, slice.name, slice.op});
    }
    lane.slices = {};
  }
  emitLanes(ordered, builder);
  stacks.finish();
  auto add = [&](llvm::StringRef name, uint64_t count) {
    if (count)
      builder.loss(name, count, 0);
  };
  add("number that is none", badNumbers);
  add("reference to a frame that is not in the file", badFrames);
  add("event before its predecessor: taken for the same time", badOrder);
  add("begin or end without its partner", unbalanced);
  add("sample without a weight, or weight without a sample", unmatchedWeights);
  add("profile of an unknown type", otherTypes);
  add("event with a time out of range", outOfRange);
}

llvm::Error Reader::read() {
  simdjson::padded_string padded(input.bytes.data(), input.bytes.size());
  ondemand::parser parser;
  ondemand::document document = parser.iterate(padded);
  try {
    readFrames(document.get_object().value());
    document.rewind();
    ondemand::object file = document.get_object().value();
    for (auto profile :
         file.find_field_unordered("profiles").get_array().value())
      if (llvm::Error error = readProfile(profile.get_object().value()))
        return error;
  } catch (const simdjson::simdjson_error &error) {
    const char *at = nullptr;
    if (document.current_location().get(at) || at < padded.data() ||
        at > padded.data() + padded.size())
      at = padded.data() + padded.size();
    return inputError(input.where + ": byte " + llvm::Twine(at - padded.data()),
                      llvm::Twine("is no file of speedscope's: ") +
                          error.what(),
                      "The file is truncated or damaged; write it again.");
  }
  finish();
  return llvm::Error::success();
}

llvm::Error speedscope::read(const ImportInput &input,
                             ProfileBuilder &builder) {
  try {
    return Reader(input, builder).read();
  } catch (const simdjson::simdjson_error &error) {
    return inputError(
        input.where, llvm::Twine("is no file of speedscope's: ") + error.what(),
        "The file is truncated or damaged; write it again.");
  } catch (const std::bad_alloc &) {
    return inputError(input.where, "cannot be read: out of memory",
                      "Read it on a larger machine.");
  }
}

Importer importer::Speedscope() {
  return {"speedscope", "speedscope, evented or sampled, *.speedscope.json",
          speedscope::detect, speedscope::read};
}
