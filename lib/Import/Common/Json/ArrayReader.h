//===- ArrayReader.h - Streaming the events of a JSON file ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_JSON_ARRAYREADER_H
#define MLIR_PROF_LIB_IMPORT_COMMON_JSON_ARRAYREADER_H

#include "Mend.h"
#include "mlir-prof/Import/Importer.h"
#include "llvm/ADT/STLExtras.h"

#include <simdjson.h>

namespace mlirprof::importer::json {

inline llvm::StringRef toRef(std::string_view view) {
  return llvm::StringRef(view.data(), view.size());
}

/// Reads JSON whose bulk is one array of objects: the outermost value, or the
/// value of one key of the outermost object. The file never is one document:
/// whole elements are cut off by a scanner that knows strings, about a MiB at a
/// time, and parsed by simdjson on demand; pages of a mapped file are given
/// back behind the reader. A compressed file is inflated as far as the scanner
/// looks, and its memory given back as well.
///
/// Where a piece does not parse, its elements are mended one by one (see
/// mendObject); what cannot be mended is left out. Both are losses of the sink,
/// with the offset of the first, as is what a truncated file cuts off.
class ArrayReader {
public:
  /// Takes a key of the outermost object beside the array, and the text of its
  /// value (with quotes, when it is a string). Those before the array come
  /// before its elements, those behind it afterward.
  using OnMember =
      llvm::function_ref<void(llvm::StringRef key, llvm::StringRef value)>;
  /// Takes one element. When it returns an error the element is mended and
  /// given again, or left out: it must not have kept anything of it by then.
  /// Fields that are missing or of another type than expected are no errors.
  using OnElement =
      llvm::function_ref<simdjson::error_code(simdjson::ondemand::object &)>;

  ArrayReader(const ImportInput &input, profile::EventSink &sink)
      : input(input), sink(sink), end(input.bytes.end()),
        inflating(input.inflating), pages(input.bytes.begin(), input.backing) {}
  ~ArrayReader();

  /// Reads all; `arrayKey` is looked for when the outermost value is an object.
  llvm::Error read(llvm::StringRef arrayKey, OnMember onMember,
                   OnElement onElement);

  /// Reads objects that stand on lines of their own (JSON lines), of an input
  /// that is not inflated meanwhile.
  llvm::Error readLines(OnElement onElement);

  /// Offset in the file of the element that OnElement was called with last.
  uint64_t getOffset() const { return offset; }

private:
  const char *readMembers(const char *at, llvm::StringRef arrayKey,
                          OnMember onMember, llvm::Error &error);
  const char *readElements(const char *at, OnElement onElement);
  const char *readTail(const char *at, OnElement onElement);
  /// Parses whole elements; returns where one failed, or null.
  const char *parsePiece(llvm::StringRef piece, OnElement onElement);
  const char *parseBuffer(const char *piece, OnElement onElement);
  /// Reads elements one by one while they begin before `until`. Returns what is
  /// behind the last one read.
  const char *mendElements(const char *at, const char *until,
                           OnElement onElement);
  void mendOne(const char *at, OnElement onElement);
  void reportLosses();

  /// Sees to it that `count` bytes from `at` on can be read, where there are so
  /// many; `end` may move.
  void require(const char *at, size_t count) {
    if (!inflating)
      return;
    inflating->require(at, count);
    end = inflating->end();
  }
  /// For what met the end, from `at` on: whether that was not the end of the
  /// input. Then there is more now, and it must be looked at again.
  bool readMore(const char *at);
  /// Says that everything before `at` has been read.
  void readTo(const char *at) {
    pages.readTo(at);
    if (inflating)
      inflating->release(at);
  }

  uint64_t toOffset(const char *at) const {
    return uint64_t(at - input.bytes.begin());
  }
  llvm::Error fail(const char *at, const llvm::Twine &what,
                   const llvm::Twine &hint) const;

  struct Count {
    uint64_t count = 0;
    uint64_t first = 0;
    void add(uint64_t where) {
      if (count++ == 0)
        first = where;
    }
  };

  const ImportInput &input;
  profile::EventSink &sink;
  /// Of what can be read so far.
  const char *end;
  /// Null when that is all.
  GzipInput *inflating;
  ReadPages pages;
  simdjson::ondemand::parser parser;
  /// A piece between brackets, with what simdjson needs behind it.
  std::vector<char> buffer;
  std::string mendedText;
  uint64_t offset = 0;

  Mended mended;
  Count mendedElements;
  Count malformed;
  Count givenUp;
  uint64_t wasted = 0;
  Count cutOff;
  Count tooLong;
  Count noObject;
  bool isArrayOpen = false;
  /// The last element was left out with all that follows.
  bool isEndSkipped = false;
  Count trailing;
};

/// Whether `bytes` are a JSON object whose first keys, up to the array
/// `arrayKey`, contain `key`; cheap on any input. For detection.
bool hasKeyBefore(llvm::StringRef bytes, llvm::StringRef arrayKey,
                  llvm::StringRef key);

/// The beginning of the array that ArrayReader would read, at most `limit`
/// bytes; empty when there is none. For detection.
llvm::StringRef peekArray(llvm::StringRef bytes, llvm::StringRef arrayKey,
                          size_t limit = 1 << 16);

} // namespace mlirprof::importer::json

#endif // MLIR_PROF_LIB_IMPORT_COMMON_JSON_ARRAYREADER_H
