//===- ArrayReader.cpp - Streaming the events of a JSON file --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayReader.h"
#include "Scan.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/Twine.h"

#include <cstring>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::json;
namespace ondemand = simdjson::ondemand;

namespace {

constexpr size_t kPiece = size_t(1) << 20;
/// A longer element is damaged, or not an event.
constexpr size_t kMaxPiece = size_t(64) << 20;
/// How far elements are mended one by one before the scanner is tried again.
constexpr ptrdiff_t kMendAtOnce = ptrdiff_t(64) << 10;
/// Limit on the bytes scanned in vain, in addition to four times the file.
constexpr uint64_t kMostWasted = uint64_t(64) << 20;

const char *skipMark(llvm::StringRef bytes) {
  return bytes.begin() + (bytes.starts_with("\xef\xbb\xbf") ? 3 : 0);
}

} // namespace

llvm::Error ArrayReader::fail(const char *at, const llvm::Twine &what,
                              const llvm::Twine &hint) const {
  return inputError(input.where + ": byte " + llvm::Twine(toOffset(at)), what,
                    hint);
}

bool ArrayReader::readMore(const char *at) {
  if (!inflating || inflating->isComplete())
    return false;
  require(at, 2 * size_t(end - at) + kPiece);
  return true;
}

//===----------------------------------------------------------------------===//
// Pieces that parse
//===----------------------------------------------------------------------===//

const char *ArrayReader::parseBuffer(const char *piece, OnElement onElement) {
  size_t size = buffer.size() - simdjson::SIMDJSON_PADDING;
  ondemand::document document;
  ondemand::array elements;
  if (parser.iterate(buffer.data(), size, buffer.size()).get(document) ||
      document.get_array().get(elements))
    return piece;
  // The buffer has a bracket before the piece.
  auto toInput = [&](const char *at) {
    return piece + (at - buffer.data() - 1);
  };
  const char *at = piece;
  for (auto element : elements) {
    ondemand::value value;
    const char *location;
    // After an error that does not belong to the element, the cut is
    // unreliable.
    if (std::move(element).get(value) || value.current_location().get(location))
      return at;
    at = toInput(location);
    offset = toOffset(at);
    ondemand::object object;
    if (value.get_object().get(object)) {
      noObject.add(offset);
      continue;
    }
    if (onElement(object))
      return at;
  }
  return nullptr;
}

const char *ArrayReader::parsePiece(llvm::StringRef piece,
                                    OnElement onElement) {
  // There may be a comma at either end.
  const char *begin = piece.begin();
  while (begin != piece.end() && (isSpace(*begin) || *begin == ','))
    ++begin;
  const char *last = piece.end();
  while (last != begin && (isSpace(last[-1]) || last[-1] == ','))
    --last;
  if (begin == last)
    return nullptr;
  size_t size = size_t(last - begin);
  buffer.resize(size + 2 + simdjson::SIMDJSON_PADDING);
  buffer[0] = '[';
  std::memcpy(buffer.data() + 1, begin, size);
  buffer[size + 1] = ']';
  std::memset(buffer.data() + size + 2, 0, simdjson::SIMDJSON_PADDING);
  return parseBuffer(begin, onElement);
}

//===----------------------------------------------------------------------===//
// Elements one by one
//===----------------------------------------------------------------------===//

void ArrayReader::mendOne(const char *at, OnElement onElement) {
  offset = toOffset(at);
  simdjson::padded_string padded(mendedText);
  ondemand::document document;
  ondemand::object object;
  if (parser.iterate(padded).get(document) ||
      document.get_object().get(object) || onElement(object))
    malformed.add(offset);
}

const char *ArrayReader::mendElements(const char *at, const char *until,
                                      OnElement onElement) {
  while (at < until) {
    if (isSpace(*at) || *at == ',') {
      ++at;
      continue;
    }
    if (*at == ']')
      return at;
    Mended here = mended;
    MendStop stop;
    const char *next = mendObject(at, end, mendedText, here, stop);
    const char *seen = next ? next : std::max(stop.reached, at);
    // The end of a string depends on the bytes that follow it.
    if (size_t(end - seen) < kPiece && readMore(at))
      continue;
    if (next) {
      if (!(here == mended))
        mendedElements.add(toOffset(at));
      mended = here;
      mendOne(at, onElement);
      at = next;
      continue;
    }
    next = findElement(at + 1, end);
    if (next == end && readMore(at))
      continue;
    // Scanning the same bytes in vain repeatedly would take forever.
    wasted += uint64_t(seen - at);
    auto isTooMuch = [&] { return wasted > kMostWasted + 4 * toOffset(end); };
    while (isTooMuch() && readMore(at)) {
    }
    if (isTooMuch()) {
      givenUp.add(toOffset(at));
      return end;
    }
    isEndSkipped = next == end && stop.hasLongString;
    (stop.hasLongString ? tooLong
     : next == end      ? cutOff
                        : malformed)
        .add(toOffset(at));
    at = next;
  }
  return at;
}

//===----------------------------------------------------------------------===//
// The array
//===----------------------------------------------------------------------===//

/// Handles the input that remains after the last complete element.
const char *ArrayReader::readTail(const char *at, OnElement onElement) {
  at = mendElements(at, end, onElement);
  isArrayOpen = at == end;
  return at;
}

const char *ArrayReader::readElements(const char *at, OnElement onElement) {
  while (at < end || readMore(at)) {
    readTo(at);
    require(at, 2 * kPiece);
    Cut cut = cutElements(at, end, kPiece, kMaxPiece);
    if (cut.reason == CutReason::InputEnd && readMore(at))
      continue;
    if (cut.reason == CutReason::Suspicious) {
      require(cut.end, kPiece);
      const char *until = std::min(cut.end, end - 1) + 1;
      until += std::min(kMendAtOnce, end - until);
      at = mendElements(at, until, onElement);
      if (at < end && *at == ']')
        return at;
      continue;
    }
    const char *failed =
        parsePiece(llvm::StringRef(at, size_t(cut.end - at)), onElement);
    at = cut.end;
    if (failed) {
      at = mendElements(failed, std::max(cut.end, failed + 1), onElement);
      // Mending may find the end of the array at another position than the
      // scanner.
      if (at < end && *at == ']')
        return at;
      if (at < end)
        continue;
    }
    if (cut.reason == CutReason::ArrayEnd)
      return at;
    if (cut.reason == CutReason::InputEnd)
      return readTail(at, onElement);
  }
  isArrayOpen = true;
  return end;
}

/// Reads members of the outermost object from `at`, which is after its brace or
/// a member. Stops at the array's bracket, or after the object.
const char *ArrayReader::readMembers(const char *at, llvm::StringRef arrayKey,
                                     OnMember onMember, llvm::Error &error) {
  constexpr llvm::StringLiteral kHint =
      "The file is damaged here; record it again, or cut the damage out.";
  llvm::ErrorAsOutParameter asOut(error);
  while (true) {
    at = skipSpace(at, end);
    if (at == end && readMore(at))
      continue;
    if (at == end || *at == '}')
      return at;
    if (*at == ',') {
      ++at;
      continue;
    }
    const char *keyEnd = *at == '"' ? skipString(at, end) : nullptr;
    const char *colon = keyEnd ? skipSpace(keyEnd, end) : end;
    if (colon == end && readMore(at))
      continue;
    if (colon == end || *colon != ':') {
      error = fail(at, "is not a key and its value", kHint);
      return at;
    }
    llvm::StringRef key(at + 1, size_t(keyEnd - at - 2));
    const char *value = skipSpace(colon + 1, end);
    if (key == arrayKey && value != end && *value == '[')
      return value;
    const char *behind = value == end ? nullptr : skipValue(value, end);
    if ((!behind || behind == end) && readMore(at))
      continue;
    if (!behind || behind == value) {
      error = fail(value, "the value of '" + key + "' is cut off", kHint);
      return at;
    }
    onMember(key, llvm::StringRef(value, size_t(behind - value)));
    at = behind;
  }
}

llvm::Error ArrayReader::read(llvm::StringRef arrayKey, OnMember onMember,
                              OnElement onElement) {
  const char *at = skipSpace(skipMark(input.bytes), end);
  while (at == end && readMore(at))
    at = skipSpace(at, end);
  if (at == end || (*at != '{' && *at != '['))
    return fail(at, "is not a JSON object or array",
                "Name the format with --input-format if it is another one.");
  if (*at == '[') {
    readElements(at + 1, onElement);
    // The closing bracket may be missing in this form, by definition.
    isArrayOpen = false;
    reportLosses();
    return llvm::Error::success();
  }
  llvm::Error error = llvm::Error::success();
  at = readMembers(at + 1, arrayKey, onMember, error);
  if (error)
    return error;
  if (at == end || *at != '[') {
    return fail(at, "there is no array '" + arrayKey + "'",
                "The file is cut off before its events, or of another format.");
  }
  at = readElements(at + 1, onElement);
  if (at != end) {
    at = readMembers(at + 1, "", onMember, error);
    // All events are complete: an error after them is only a loss.
    if (error) {
      llvm::consumeError(std::move(error));
      trailing.add(toOffset(at));
    }
  }
  reportLosses();
  return llvm::Error::success();
}

llvm::Error ArrayReader::readLines(OnElement onElement) {
  const char *at = skipMark(input.bytes);
  while (at != end) {
    pages.readTo(at);
    size_t size = std::min(kPiece, size_t(end - at));
    const char *last = at + size;
    if (last != end) {
      auto *line = static_cast<const char *>(memrchr(at, '\n', size));
      if (!line)
        line =
            static_cast<const char *>(memchr(last, '\n', size_t(end - last)));
      last = line ? line + 1 : end;
    }
    // Strings cannot contain line breaks, so each can become the comma that an
    // array needs; a blank line leaves one too many.
    llvm::StringRef piece(at, size_t(last - at));
    buffer.clear();
    buffer.reserve(piece.size() + 2 + simdjson::SIMDJSON_PADDING);
    buffer.push_back('[');
    bool isBlank = true;
    for (char c : piece) {
      buffer.push_back(c != '\n' ? c : isBlank ? ' ' : ',');
      isBlank = c == '\n' || (isBlank && isSpace(c));
    }
    while (isSpace(buffer.back()) || buffer.back() == ',')
      buffer.pop_back();
    buffer.push_back(']');
    buffer.insert(buffer.end(), simdjson::SIMDJSON_PADDING, '\0');
    if (const char *failed = parseBuffer(at, onElement)) {
      const char *behind = mendElements(failed, last, onElement);
      last = std::max(last, behind);
    }
    at = last;
  }
  reportLosses();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

ArrayReader::~ArrayReader() = default;

void ArrayReader::reportLosses() {
  auto report = [&](const Count &count, const llvm::Twine &what) {
    if (count.count)
      sink.loss(
          (what + ", the first at byte " + llvm::Twine(count.first)).str(),
          count.count, 0);
  };
  report(malformed, "event left out: its JSON is malformed");
  report(givenUp, "rest of the file left out: too much of it is malformed");
  report(tooLong, "event left out: a name or value in it is longer than " +
                      std::to_string(kMaxString >> 20) + " MiB");
  report(cutOff, "event cut off at the end of the file");
  report(noObject, "element among the events that is not an object");
  report(mendedElements, "event read after mending its JSON");
  report(trailing, "end of the file after the events is malformed");
  if (mended.quotes)
    sink.loss("quote in a name that was not escaped, mended", mended.quotes, 0);
  if (mended.characters)
    sink.loss("character in a name that was not escaped, mended",
              mended.characters, 0);
  if (mended.bytes)
    sink.loss("byte in a name that is not UTF-8, replaced", mended.bytes, 0);
  // Nothing is known about the content of a string without an end.
  if (isArrayOpen && !isEndSkipped)
    sink.loss("the list of events does not end: the file is cut off", 1, 0);
}

//===----------------------------------------------------------------------===//
// Detection
//===----------------------------------------------------------------------===//

namespace {

/// How much of a file is scanned to detect its format.
constexpr size_t kDetect = size_t(1) << 16;

/// Calls `onKey` for the keys of the outermost object, as far as `bytes` go,
/// until it returns false; passes a pointer to the value, which may be the end.
template <typename OnKey>
void walkKeys(llvm::StringRef bytes, OnKey onKey) {
  const char *end = bytes.end();
  const char *at = skipSpace(skipMark(bytes), end);
  if (at == end || *at != '{')
    return;
  for (++at; at != end;) {
    at = skipSpace(at, end);
    if (at != end && *at == ',')
      at = skipSpace(at + 1, end);
    if (at == end || *at != '"')
      return;
    const char *keyEnd = skipString(at, end);
    if (!keyEnd)
      return;
    const char *colon = skipSpace(keyEnd, end);
    if (colon == end || *colon != ':')
      return;
    const char *value = skipSpace(colon + 1, end);
    if (!onKey(llvm::StringRef(at + 1, size_t(keyEnd - at - 2)), value) ||
        value == end)
      return;
    const char *behind = skipValue(value, end);
    if (!behind || behind == value)
      return;
    at = behind;
  }
}

} // namespace

bool mlirprof::importer::json::hasKeyBefore(llvm::StringRef bytes,
                                            llvm::StringRef arrayKey,
                                            llvm::StringRef key) {
  bool found = false;
  walkKeys(bytes.take_front(kDetect), [&](llvm::StringRef name, const char *) {
    found |= name == key;
    return !found && name != arrayKey;
  });
  return found;
}

llvm::StringRef mlirprof::importer::json::peekArray(llvm::StringRef bytes,
                                                    llvm::StringRef arrayKey,
                                                    size_t limit) {
  llvm::StringRef front = bytes.take_front(kDetect);
  const char *begin = skipSpace(skipMark(front), front.end());
  if (begin == front.end() || *begin != '[') {
    begin = nullptr;
    walkKeys(front, [&](llvm::StringRef name, const char *value) {
      if (name != arrayKey)
        return true;
      if (value != front.end() && *value == '[')
        begin = value;
      return false;
    });
  }
  if (!begin)
    return llvm::StringRef();
  size_t left = size_t(bytes.end() - begin);
  return llvm::StringRef(begin, std::min(limit, left));
}
