//===- ProtoReader.h - Protobuf with lengths of 64 bits ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_PROTOREADER_H
#define MLIR_PROF_SUPPORT_PROTOREADER_H

#include <protozero/pbf_reader.hpp>

namespace mlirprof {

/// A protozero::pbf_reader that checks the lengths of fields in 64 bits. The
/// base class truncates them to 32, so a field that claims 2^32 bytes too many
/// would pass as complete. Throws the base class's exceptions.
class ProtoReader : public protozero::pbf_reader {
public:
  using pbf_reader::pbf_reader;
  ProtoReader(const pbf_reader &reader) : pbf_reader(reader) {}

  bool next() {
    if (!pbf_reader::next())
      return false;
    if (wire_type() == protozero::pbf_wire_type::length_delimited)
      checkLength();
    return true;
  }

private:
  void checkLength() const {
    protozero::data_view rest = data();
    const char *at = rest.data();
    const char *end = at + rest.size();
    if (protozero::decode_varint(&at, end) > uint64_t(end - at))
      throw protozero::end_of_buffer_exception();
  }
};

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_PROTOREADER_H
