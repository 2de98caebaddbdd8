//===- Speedscope.cpp - speedscope's files --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Speedscope.h"
#include "../Common/Json/Decimal.h"
#include "../Importers.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::speedscope;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
namespace ondemand = simdjson::ondemand;

bool speedscope::detect(llvm::StringRef bytes) {
  // No other format has a list of frames under "shared".
  if (!bytes.ltrim().starts_with("{"))
    return false;
  if (bytes.take_front(4096).contains("speedscope.app/file-format-schema"))
    return true;
  // Other JSON formats are large: examine only the beginning.
  bytes = bytes.take_front(size_t(1) << 20);
  size_t shared = bytes.find("\"shared\"");
  return shared != llvm::StringRef::npos &&
         bytes.substr(shared, 256).contains("\"frames\"") &&
         bytes.contains("\"profiles\"");
}

static llvm::StringRef toRef(std::string_view text) {
  return llvm::StringRef(text.data(), text.size());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Unit getUnit(llvm::StringRef text) {
  Unit unit;
  unit.psPerUnit = getPsPerUnit(text);
  if (unit.psPerUnit) {
    unit.kind = Unit::Kind::Time;
    for (int64_t ps = unit.psPerUnit; ps > 1; ps /= 10)
      ++unit.digits;
  } else if (text == "bytes") {
    unit.kind = Unit::Kind::Bytes;
  }
  return unit;
}

/// Reads the number's text, since times must not pass through a double.
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

/// The last frame represents indices that are missing in the file.
void Reader::readFrames(Part shared) {
  if (!shared.empty())
    parts.read(shared, [&](ondemand::document &document) {
      readMembers(document.get_object(), [&](json::RawKey key, Value list) {
        if (key == "frames")
          for (auto frame : list.get_array())
            readFrame(frame.get_object());
      });
    });
  frames.push_back(builder.addName("frame that is not in the file"));
  ops.assign(frames.size(), kNone);
}

void Reader::readFrame(Object frame) {
  std::string name;
  readMembers(frame, [&](json::RawKey key, Value value) {
    if (key == "name")
      name = getText(value);
  });
  frames.push_back(builder.addName(name.empty() ? "(no name)" : name));
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

llvm::Error Reader::readSampled(const ProfileParts &profile) {
  std::vector<__int128> weights;
  readElements(profile.weights, [&](Value weight) {
    weights.push_back(readNumber(weight, profile.unit));
  });
  std::vector<uint32_t> stack;
  size_t index = 0;
  bool isTooLarge = false;
  readElements(profile.samples, [&](Value sample) {
    stack.clear();
    for (auto frame : sample.get_array())
      stack.push_back(getFrame(frame.get_uint64()));
    if (index >= weights.size())
      ++unmatchedWeights;
    else if (!isTooLarge)
      isTooLarge = !addSample(stack, profile.unit, weights[index++]);
  });
  if (isTooLarge)
    return stacks.tooLarge(input.where);
  unmatchedWeights += weights.size() - index;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// Reads a required list.
void Reader::readElements(Part list,
                          llvm::function_ref<void(Value)> onElement) {
  if (list.empty())
    throw simdjson::simdjson_error(simdjson::NO_SUCH_FIELD);
  parts.read(list, [&](ondemand::document &document) {
    for (auto element : document.get_array())
      onElement(element.value());
  });
}

llvm::Error Reader::readProfile(Object object) {
  ProfileParts profile;
  std::string type;
  readMembers(object, [&](json::RawKey key, Value value) {
    if (key == "unit")
      profile.unit = getUnit(getText(value));
    else if (key == "name")
      profile.name = getText(value);
    else if (key == "type")
      type = getText(value);
    else if (key == "samples")
      profile.samples = getPart(value);
    else if (key == "weights")
      profile.weights = getPart(value);
    else if (key == "events")
      profile.events = getPart(value);
  });
  if (type == "sampled")
    return readSampled(profile);
  if (type == "evented")
    return readEvented(profile);
  ++otherTypes;
  return llvm::Error::success();
}

void Reader::finish() {
  // Times may count from the epoch, which would overflow picoseconds.
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
  add("invalid number", badNumbers);
  add("reference to a frame that is not in the file", badFrames);
  add("event before its predecessor: taken for the same time", badOrder);
  add("begin or end without its partner", unbalanced);
  add("sample without a weight, or weight without a sample", unmatchedWeights);
  add("profile of an unknown type", otherTypes);
  add("event with a time out of range", outOfRange);
}

llvm::Error Reader::readFile(Part file) {
  Part shared, profiles;
  parts.read(file, [&](ondemand::document &document) {
    readMembers(document.get_object(), [&](json::RawKey key, Value value) {
      if (key == "shared")
        shared = getPart(value);
      else if (key == "profiles")
        profiles = getPart(value);
    });
  });
  readFrames(shared);
  llvm::Error error = llvm::Error::success();
  readElements(profiles, [&](Value profile) {
    if (!error)
      error = readProfile(profile.get_object());
  });
  return error;
}

llvm::Error Reader::read() {
  simdjson::padded_string padded(input.bytes.data(), input.bytes.size());
  try {
    if (llvm::Error error = readFile(Part(padded.data(), padded.size())))
      return error;
  } catch (const simdjson::simdjson_error &error) {
    const char *at = parts.getFailure();
    size_t offset = at ? size_t(at - padded.data()) : padded.size();
    return inputError(input.where + ": byte " + llvm::Twine(offset),
                      llvm::Twine("is not a speedscope file: ") + error.what(),
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
    return inputError(input.where,
                      llvm::Twine("is not a speedscope file: ") + error.what(),
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
