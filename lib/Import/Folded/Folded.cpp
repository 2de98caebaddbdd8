//===- Folded.cpp - Folded stacks -----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Stacks.h"
#include "../Common/TextLines.h"
#include "../Importers.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;

namespace {

/// "main;run;multiply 12": frames, the outermost first, and a count.
struct Line {
  llvm::StringRef stack;
  int64_t value = 0;
};

} // namespace

/// False if it is not a line of folded stacks.
static bool parseLine(llvm::StringRef text, Line &line) {
  size_t space = text.rfind(' ');
  if (space == llvm::StringRef::npos)
    return false;
  line.stack = text.take_front(space);
  llvm::StringRef digits = text.drop_front(space + 1);
  return llvm::all_of(digits, llvm::isDigit) &&
         !digits.getAsInteger(10, line.value);
}

/// Whether a stack is a single frame, such as the location of an op: text that
/// does not look like the end of a table column.
static bool isFrame(llvm::StringRef stack) {
  return !stack.empty() && !stack.contains(',') && !stack.contains('\t') &&
         llvm::all_of(stack, [](char c) { return uint8_t(c) >= ' '; });
}

static bool detectFolded(llvm::StringRef bytes) {
  constexpr unsigned kMostLines = 64;
  bool hasStack = false;
  bool hasFrame = false;
  Line line;
  for (unsigned lines = 0; lines != kMostLines && !bytes.empty(); ++lines) {
    bool isLast = !bytes.contains('\n');
    llvm::StringRef text = takeLine(bytes);
    if (text.empty() || text.front() == '#')
      continue;
    if (!parseLine(text, line))
      return isLast && (hasStack || hasFrame);
    // py-spy writes lines without frames; other indented lines may be from perf
    // script.
    if (llvm::isSpace(text.front()) && !line.stack.empty())
      return false;
    hasStack |= line.stack.contains(';');
    hasFrame |= isFrame(line.stack);
  }
  // Accept stacks of one frame if nothing else could be meant.
  return hasStack || hasFrame;
}

static llvm::Error readFolded(const ImportInput &input,
                              ProfileBuilder &builder) {
  Stacks stacks(builder, input);
  stacks.hasSamples = true;
  ReadPages pages(input.bytes.begin(), input.backing);
  std::vector<uint32_t> frames;
  llvm::StringRef rest = input.bytes;
  for (size_t number = 1; !rest.empty(); ++number) {
    llvm::StringRef text = takeLine(rest);
    pages.readTo(text.data());
    if (text.empty() || text.front() == '#')
      continue;
    Line line;
    if (!parseLine(text, line))
      return inputError(input.where + ": line " + llvm::Twine(number),
                        "does not end in a number: '" + text.take_back(40) +
                            "'",
                        "Lines of folded stacks are 'frame;frame;frame 12'.");
    frames.clear();
    // From the innermost; an empty frame does not have a name.
    for (llvm::StringRef stack = line.stack; !line.stack.empty();) {
      size_t separator = stack.rfind(';');
      frames.push_back(stacks.addFrame(stack.drop_front(separator + 1)));
      if (separator == llvm::StringRef::npos)
        break;
      stack = stack.take_front(separator);
    }
    StackValues values;
    values.samples = line.value;
    if (!stacks.add(frames, values))
      return stacks.tooLarge(input.where);
  }
  stacks.finish();
  builder.loss("values without a unit, treated as samples", 1, 0);
  return llvm::Error::success();
}

Importer importer::Folded() {
  return {"folded", "folded stacks, 'main;run;multiply 12'", detectFolded,
          readFolded};
}
