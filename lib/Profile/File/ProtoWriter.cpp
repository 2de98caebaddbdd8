//===- ProtoWriter.cpp - Writing a profile as protobuf --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Proto.h"
#include "Schema.h"

#include <protozero/pbf_writer.hpp>

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;
using namespace mlirprof::trace;

namespace {

/// State shared by all messages of one element.
struct WriterState {
  std::string &out;
  /// The position of the message: alternating field number and index.
  llvm::SmallVector<uint32_t, 16> path;
  /// Finds the unknown fields of the message at a path.
  llvm::function_ref<llvm::StringRef(llvm::ArrayRef<uint32_t>)> unknown;
};

/// Writes the fields of one message. proto3 does not distinguish absent fields
/// from zeros, so zeros and empty strings are left out.
class FieldWriter {
public:
  [[maybe_unused]] static constexpr bool kIsJson = false;

  FieldWriter(WriterState &state, protozero::pbf_writer &writer)
      : state(state), writer(writer) {}

  template <typename T>
  void operator()(uint32_t number, llvm::StringLiteral, const T &value) {
    if constexpr (std::is_enum_v<T>) {
      if (value != T())
        writer.add_uint32(number, uint32_t(value));
    } else if constexpr (std::is_same_v<T, bool>) {
      if (value)
        writer.add_bool(number, true);
    } else if constexpr (std::is_same_v<T, int64_t>) {
      if (value)
        writer.add_int64(number, value);
    } else if constexpr (std::is_unsigned_v<T>) {
      if (value)
        writer.add_uint64(number, value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      if (!value.empty())
        writer.add_string(number, toUtf8(value));
    } else {
      message(number, 0, value);
    }
  }

  template <typename T>
  void operator()(uint32_t number, llvm::StringLiteral,
                  const std::vector<T> &values) {
    if constexpr (std::is_same_v<T, int64_t>) {
      writer.add_packed_int64(number, values.begin(), values.end());
    } else if constexpr (std::is_unsigned_v<T>) {
      writer.add_packed_uint64(number, values.begin(), values.end());
    } else if constexpr (std::is_same_v<T, std::string>) {
      for (const std::string &value : values)
        writer.add_string(number, toUtf8(value));
    } else {
      for (size_t i = 0; i != values.size(); ++i)
        element(number, uint32_t(i), values[i]);
    }
  }

  void bytes(uint32_t number, llvm::StringLiteral, const std::string &value) {
    if (!value.empty())
      writer.add_bytes(number, value);
  }
  void zigzag(uint32_t number, llvm::StringLiteral,
              const std::vector<int64_t> &values) {
    writer.add_packed_sint64(number, values.begin(), values.end());
  }

  template <typename T>
  void plusOne(uint32_t number, llvm::StringLiteral, T value) {
    if (uint64_t wire = toPlusOne(value))
      writer.add_uint64(number, wire);
  }

  /// protozero drops an empty message, which elements must keep.
  template <typename T>
  void element(uint32_t number, uint32_t index, const T &value) {
    size_t before = state.out.size();
    message(number, index, value);
    if (state.out.size() == before)
      writer.add_message(number, "", 0);
  }

private:
  template <typename T>
  void message(uint32_t number, uint32_t index, const T &value) {
    if constexpr (!std::is_same_v<typename WireOf<T>::type, T>) {
      message(number, index, toWire(value));
    } else {
      protozero::pbf_writer child(writer, number);
      FieldWriter fields(state, child);
      state.path.append({number, index});
      Fields<T>::visit(fields, value);
      state.out += state.unknown(state.path);
      state.path.pop_back_n(2);
    }
  }

  WriterState &state;
  protozero::pbf_writer &writer;
};

} // namespace

static bool isLess(llvm::ArrayRef<uint32_t> a, llvm::ArrayRef<uint32_t> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

ProtoWriter::ProtoWriter(const Profile &profile) : unknown(isLess) {
  for (const UnknownFields &fields : profile.unknownFields)
    unknown.try_emplace(fields.path, fields.fields);
}

void ProtoWriter::addHeader(uint32_t minor, std::string &out) {
  protozero::pbf_writer writer(out);
  writer.add_string(kFieldSchema, kSchema.data(), kSchema.size());
  if (minor)
    writer.add_uint32(kFieldMinor, minor);
}

void ProtoWriter::addString(llvm::StringRef value, std::string &out) {
  protozero::pbf_writer(out).add_string(kFieldStrings, toUtf8(value));
}

void ProtoWriter::addUnknownFields(std::string &out) const {
  auto it = unknown.find({});
  if (it != unknown.end())
    out += it->second;
}

template <typename T>
void ProtoWriter::addElement(uint32_t field, uint32_t index, const T &message,
                             std::string &out) const {
  auto find = [this](llvm::ArrayRef<uint32_t> path) {
    auto it = unknown.empty() ? unknown.end() : unknown.find(path);
    return it == unknown.end() ? llvm::StringRef() : it->second;
  };
  WriterState state = {out, {}, find};
  protozero::pbf_writer writer(out);
  FieldWriter(state, writer).element(field, index, message);
}

void ProtoWriter::add(const OpKey &key, uint32_t index,
                      std::string &out) const {
  addElement(kFieldOpKeys, index, key, out);
}
void ProtoWriter::add(const HloModule &module, uint32_t index,
                      std::string &out) const {
  addElement(kFieldHloModules, index, module, out);
}
void ProtoWriter::add(const IrModule &module, uint32_t index,
                      std::string &out) const {
  addElement(kFieldIrModules, index, module, out);
}
void ProtoWriter::add(const Run &run, uint32_t index, std::string &out) const {
  addElement(kFieldRuns, index, run, out);
}
void ProtoWriter::add(const EventBlock &block, uint32_t index,
                      std::string &out) const {
  addElement(kFieldKeptEvents, index, block, out);
}
void ProtoWriter::add(const Program &program, uint32_t index,
                      std::string &out) const {
  addElement(kFieldPrograms, index, program, out);
}
void ProtoWriter::add(const ScopeRecord &record, uint32_t index,
                      std::string &out) const {
  addElement(kFieldScopes, index, record, out);
}
void ProtoWriter::add(const ScopeBlock &block, uint32_t index,
                      std::string &out) const {
  addElement(kFieldScopeEvents, index, block, out);
}
void ProtoWriter::add(const MemoryBlock &block, uint32_t index,
                      std::string &out) const {
  addElement(kFieldMemoryEvents, index, block, out);
}
void ProtoWriter::add(const CountBlock &block, uint32_t index,
                      std::string &out) const {
  addElement(kFieldScopeCounts, index, block, out);
}
void ProtoWriter::add(const JobMessage &message, uint32_t index,
                      std::string &out) const {
  addElement(kFieldJobs, index, message, out);
}

static llvm::StringRef hasNoUnknown(llvm::ArrayRef<uint32_t>) { return ""; }

/// The fields of `message` by themselves.
template <typename T>
static std::string writeAlone(const T &message) {
  std::string out;
  WriterState state = {out, {}, hasNoUnknown};
  protozero::pbf_writer writer(out);
  FieldWriter fields(state, writer);
  Fields<T>::visit(fields, message);
  return out;
}

std::string schema::writeProto(const Program &program) {
  return writeAlone(program);
}

std::string schema::writeKeyRecord(const KeyRecord &record) {
  return writeAlone(record);
}
