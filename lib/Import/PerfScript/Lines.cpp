//===- Lines.cpp - Lines of perf script -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;

bool perfscript::takeHex(llvm::StringRef &text, uint64_t &value) {
  text.consume_front("0x");
  return !text.consumeInteger(16, value);
}

/// "48938.460406:"
static bool isTime(llvm::StringRef token) {
  if (!token.consume_back(":"))
    return false;
  auto [seconds, fraction] = token.split('.');
  return !seconds.empty() && fraction.size() >= 3 &&
         llvm::all_of(seconds, llvm::isDigit) &&
         llvm::all_of(fraction, llvm::isDigit);
}

/// "[001]", the processor.
static bool isProcessor(llvm::StringRef token) {
  return token.consume_front("[") && token.consume_back("]") &&
         !token.empty() && llvm::all_of(token, llvm::isDigit);
}

/// "30834" or "30834/30836".
static bool parseIds(llvm::StringRef token, Header &header) {
  auto [first, second] = token.split('/');
  if (second.empty())
    return !first.empty() && !first.getAsInteger(10, header.thread);
  return !first.getAsInteger(10, header.process) &&
         !second.getAsInteger(10, header.thread);
}

/// Takes the last word off `text`.
static llvm::StringRef takeLast(llvm::StringRef &text) {
  text = text.rtrim();
  size_t space = text.find_last_of(" \t");
  llvm::StringRef word =
      text.drop_front(space == llvm::StringRef::npos ? 0 : space + 1);
  text = text.drop_back(word.size());
  return word;
}

static llvm::StringRef takeFirst(llvm::StringRef &text) {
  text = text.ltrim();
  llvm::StringRef word = text.take_until([](char c) { return c == ' '; });
  text = text.drop_front(word.size());
  return word;
}

/// Parses the text before the time: the command, which may have spaces, the
/// ids, and perhaps the processor.
static bool parseThread(llvm::StringRef text, Header &header) {
  llvm::StringRef last = takeLast(text);
  if (isProcessor(last))
    last = takeLast(text);
  header.command = text.trim();
  return parseIds(last, header);
}

bool perfscript::parseHeader(llvm::StringRef line, Header &header) {
  header = Header();
  llvm::StringRef rest = line;
  while (!rest.empty()) {
    llvm::StringRef word = takeFirst(rest);
    if (!isTime(word))
      continue;
    if (!parseThread(line.take_front(size_t(word.data() - line.data())),
                     header))
      return false;
    header.time = word.drop_back();
    llvm::StringRef event = takeFirst(rest);
    if (!event.getAsInteger(10, header.period)) {
      header.hasPeriod = true;
      event = takeFirst(rest);
    }
    header.frame = rest.trim();
    header.event = event;
    return header.event.consume_back(":");
  }
  return false;
}

/// Takes "+0x1c" off the end of `text`.
static std::optional<uint64_t> takeOffset(llvm::StringRef &text) {
  size_t plus = text.rfind("+0x");
  uint64_t offset;
  if (plus == llvm::StringRef::npos ||
      text.drop_front(plus + 3).getAsInteger(16, offset))
    return std::nullopt;
  text = text.take_front(plus);
  return offset;
}

/// The position of the opening bracket of the object at the end of `text`, or
/// npos. Names of C++ functions have brackets too, without a space before.
static size_t findObject(llvm::StringRef text) {
  if (!text.ends_with(")"))
    return llvm::StringRef::npos;
  size_t depth = 0, at = text.size();
  do {
    --at;
    depth += text[at] == ')' ? 1 : text[at] == '(' ? -1 : 0;
  } while (depth && at);
  if (depth == 0 && (at == 0 || text[at - 1] == ' '))
    return at;
  // A path may contain an unclosed bracket.
  at = text.rfind(" (/");
  return at == llvm::StringRef::npos ? at : at + 1;
}

bool perfscript::dropDeleted(llvm::StringRef &path) {
  return path.consume_back(" (deleted)");
}

bool perfscript::parseFrame(llvm::StringRef line, Frame &frame) {
  frame = Frame();
  llvm::StringRef rest = line;
  llvm::StringRef address = takeFirst(rest);
  if (address.getAsInteger(16, frame.address))
    return false;
  rest = rest.trim();
  if (size_t open = findObject(rest); open != llvm::StringRef::npos) {
    frame.object = rest.drop_front(open + 1).drop_back();
    frame.fileOffset = takeOffset(frame.object);
    frame.isDeleted = dropDeleted(frame.object);
    rest = rest.take_front(open).rtrim();
  }
  frame.symbolOffset = takeOffset(rest);
  frame.symbol = rest.trim();
  if (frame.symbol.empty())
    frame.symbol = "[unknown]";
  return true;
}
