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
/// value of one key of the outermost object. The file is never parsed as one
/// document: a scanner that understands strings cuts off complete elements,
/// about a MiB at a time, which simdjson parses on demand; pages of a mapped
/// file are released behind the reader. A compressed file is inflated as far as
/// the scanner looks ahead, and its memory is released as well.
///
/// If a piece does not parse, its elements are mended one by one (see
/// mendObject); elements that cannot be mended are skipped. Both are losses of
/// the sink, with the offset of the first, as is an element cut off by
/// truncation.
class ArrayReader {
public:
  /// Receives a key of the outermost object other than the array, and the text
  /// of its value (with quotes if it is a string). Keys before the array come
  /// before its elements, keys after it afterward.
  using OnMember =
      llvm::function_ref<void(llvm::StringRef key, llvm::StringRef value)>;
  /// Receives one element. If it returns an error, the element is mended and
  /// passed again, or skipped: the callback must not have stored anything by
  /// then. Missing fields, and fields of unexpected types, are not errors.
  using OnElement =
      llvm::function_ref<simdjson::error_code(simdjson::ondemand::object &)>;

  ArrayReader(const ImportInput &input, profile::EventSink &sink)
      : input(input), sink(sink), end(input.bytes.end()),
        inflating(input.inflating), pages(input.bytes.begin(), input.backing) {}
  ~ArrayReader();

  /// Reads everything; if the outermost value is an object, the array is the
  /// value of `arrayKey`.
  llvm::Error read(llvm::StringRef arrayKey, OnMember onMember,
                   OnElement onElement);

  /// Reads objects on separate lines (JSON lines), from input that is not
  /// inflated while being read.
  llvm::Error readLines(OnElement onElement);

  /// Offset in the file of the element last passed to OnElement.
  uint64_t getOffset() const { return offset; }

private:
  const char *readMembers(const char *at, llvm::StringRef arrayKey,
                          OnMember onMember, llvm::Error &error);
  const char *readElements(const char *at, OnElement onElement);
  const char *readTail(const char *at, OnElement onElement);
  /// Parses complete elements; returns where one failed, or null.
  const char *parsePiece(llvm::StringRef piece, OnElement onElement);
  const char *parseBuffer(const char *piece, OnElement onElement);
  /// Reads elements one by one while they begin before `until`. Returns the
  /// position after the last one read.
  const char *mendElements(const char *at, const char *until,
                           OnElement onElement);
  void mendOne(const char *at, OnElement onElement);
  void reportLosses();

  /// Makes `count` bytes from `at` on readable if the input has that many;
  /// `end` may move.
  void require(const char *at, size_t count) {
    if (!inflating)
      return;
    inflating->require(at, count);
    end = inflating->end();
  }
  /// Called when reading from `at` reached the end: whether the input
  /// continues. Then more is available now, and the text must be scanned again.
  bool readMore(const char *at);
  /// Marks everything before `at` as read.
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
  /// The end of the bytes available so far.
  const char *end;
  /// Null if all bytes are available.
  GzipInput *inflating;
  ReadPages pages;
  simdjson::ondemand::parser parser;
  /// A piece between brackets, with the padding that simdjson requires.
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
  /// The last element was skipped with everything that follows.
  bool isEndSkipped = false;
  Count trailing;
};

/// Whether `bytes` are a JSON object with `key` among its first keys, up to the
/// array `arrayKey`; cheap on any input. For detection.
bool hasKeyBefore(llvm::StringRef bytes, llvm::StringRef arrayKey,
                  llvm::StringRef key);

/// The beginning of the array that ArrayReader would read, at most `limit`
/// bytes; empty if there is none. For detection.
llvm::StringRef peekArray(llvm::StringRef bytes, llvm::StringRef arrayKey,
                          size_t limit = 1 << 16);

} // namespace mlirprof::importer::json

#endif // MLIR_PROF_LIB_IMPORT_COMMON_JSON_ARRAYREADER_H
