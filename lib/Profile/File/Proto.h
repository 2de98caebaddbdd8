//===- Proto.h - A profile as protobuf --------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_PROFILE_FILE_PROTO_H
#define MLIR_PROF_LIB_PROFILE_FILE_PROTO_H

#include "Wire.h"
#include "mlir-prof/Support/MemoryBudget.h"

#include <map>

namespace mlirprof::profile::schema {

/// Writes elements of the outermost message. Each call appends one field, so
/// that any number of them, in one string or in several, is a valid message.
class ProtoWriter {
public:
  explicit ProtoWriter(const Profile &profile);

  static void addHeader(uint32_t minor, std::string &out);
  static void addString(llvm::StringRef value, std::string &out);
  /// Fields of the outermost message unknown to this version.
  void addUnknownFields(std::string &out) const;
  /// `index` is the element's position in its field.
  void add(const OpKey &key, uint32_t index, std::string &out) const;
  void add(const HloModule &module, uint32_t index, std::string &out) const;
  void add(const IrModule &module, uint32_t index, std::string &out) const;
  void add(const Run &run, uint32_t index, std::string &out) const;
  void add(const EventBlock &block, uint32_t index, std::string &out) const;
  void add(const Program &program, uint32_t index, std::string &out) const;
  void add(const ScopeRecord &record, uint32_t index, std::string &out) const;
  void add(const ScopeBlock &block, uint32_t index, std::string &out) const;
  void add(const MemoryBlock &block, uint32_t index, std::string &out) const;
  void add(const CountBlock &block, uint32_t index, std::string &out) const;
  void add(const JobMessage &message, uint32_t index, std::string &out) const;

private:
  template <typename T>
  void addElement(uint32_t field, uint32_t index, const T &message,
                  std::string &out) const;

  std::map<llvm::ArrayRef<uint32_t>, llvm::StringRef,
           bool (*)(llvm::ArrayRef<uint32_t>, llvm::ArrayRef<uint32_t>)>
      unknown;
};

/// Adds the fields in `bytes`, a piece of the outermost message, to `document`;
/// charges its elements to `budget`. Returns a description of the problem, or
/// "".
std::string readProto(llvm::StringRef bytes, Document<Profile> &document,
                      MemoryBudget &budget);

/// A message Program by itself. Unknown fields are dropped.
std::string writeProto(const Program &program);
std::string readProto(llvm::StringRef bytes, Program &program,
                      MemoryBudget &budget);

/// A message OpKey by itself; `bytes` are what writeKeyRecord() gave.
std::string writeKeyRecord(const KeyRecord &record);
KeyRecord readKeyRecord(llvm::StringRef bytes);

/// Whether `bytes` are well-formed fields of any protobuf message.
bool isProto(llvm::StringRef bytes);

} // namespace mlirprof::profile::schema

#endif // MLIR_PROF_LIB_PROFILE_FILE_PROTO_H
