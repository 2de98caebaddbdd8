//===- Bytes.h - Compiled code as bytes -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields one after the other, little endian, in files of the cache and in
// messages between processes. A reader knows which fields to expect.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COMPILE_BYTES_H
#define MLIR_PROF_COMPILE_BYTES_H

#include "mlir-prof/Compile/Compiler.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof::compile {

class ByteWriter {
public:
  /// Appends to `bytes`, which must outlive the writer.
  explicit ByteWriter(std::string &bytes)
      : stream(bytes), writer(stream, llvm::endianness::little) {}

  template <typename T>
  void put(T value) {
    writer.write(value);
  }
  void put(llvm::StringRef text) {
    put(uint64_t(text.size()));
    stream << text;
  }
  void put(const std::string &text) { put(llvm::StringRef(text)); }
  void put(const Signature &signature);

private:
  void put(const std::vector<ValueSignature> &values);

  llvm::raw_string_ostream stream;
  llvm::support::endian::Writer writer;
};

/// After the first missing field, all fields are empty.
class ByteReader {
public:
  explicit ByteReader(llvm::StringRef bytes)
      : data(bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8), cursor(0) {}

  uint64_t getInteger() { return data.getU64(cursor); }
  uint32_t getWord() { return data.getU32(cursor); }
  double getDouble() { return llvm::bit_cast<double>(getInteger()); }
  /// A text; points into the bytes.
  llvm::StringRef getBytes() { return data.getBytes(cursor, getInteger()); }
  std::string getText() { return getBytes().str(); }
  Signature getSignature();
  /// The bytes behind the last field.
  llvm::StringRef getRest() {
    return isGood() ? data.getData().drop_front(cursor.tell())
                    : llvm::StringRef();
  }
  /// Whether all fields so far were present.
  bool isGood() { return bool(cursor); }
  /// Whether all fields were present, and no bytes are left.
  bool isDone() {
    return data.eof(cursor) && !llvm::errorToBool(cursor.takeError());
  }

private:
  std::vector<ValueSignature> getValues();

  llvm::DataExtractor data;
  llvm::DataExtractor::Cursor cursor;
};

} // namespace mlirprof::compile

#endif // MLIR_PROF_COMPILE_BYTES_H
