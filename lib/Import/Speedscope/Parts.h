//===- Parts.h - Parts of a JSON document -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// simdjson's on-demand lookup of a key in an object assumes that the members
// skipped before are valid. In a damaged file they may not be, so objects are
// read in one pass, and members needed in another order are read as separate
// documents.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_SPEEDSCOPE_PARTS_H
#define MLIR_PROF_LIB_IMPORT_SPEEDSCOPE_PARTS_H

#include "../Common/Json/Text.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace mlirprof::importer::speedscope {

/// Text of a value in a padded document; empty if absent.
using Part = std::string_view;

/// Calls `onMember` with each member's key and value, which it may read or
/// ignore.
inline void
readMembers(simdjson::ondemand::object object,
            llvm::function_ref<void(json::RawKey, simdjson::ondemand::value)>
                onMember) {
  for (auto field : object)
    onMember(json::RawKey(field.key()), field.value());
}

/// The text of an array or object, which is consumed; "" for any other value.
inline Part getPart(simdjson::ondemand::value value) {
  switch (value.type().value()) {
  case simdjson::ondemand::json_type::array:
    return value.get_array().value().raw_json().value();
  case simdjson::ondemand::json_type::object:
    return value.get_object().value().raw_json().value();
  default:
    return {};
  }
}

/// The text of a string; "" for any other value.
inline std::string getText(simdjson::ondemand::value value) {
  std::string_view text;
  simdjson::error_code error = value.get_string().get(text);
  if (error && error != simdjson::INCORRECT_TYPE)
    throw simdjson::simdjson_error(error);
  return error ? std::string() : std::string(text);
}

/// Reads parts of one document; records where reading failed first.
class PartReader {
public:
  /// Calls `read` with the part as a document. `part` is in a padded buffer.
  void read(Part part,
            llvm::function_ref<void(simdjson::ondemand::document &)> read) {
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document =
        parser
            .iterate(part.data(), part.size(),
                     part.size() + simdjson::SIMDJSON_PADDING)
            .value();
    try {
      read(document);
    } catch (const simdjson::simdjson_error &) {
      const char *at = nullptr;
      bool isKnown = !document.current_location().get(at);
      if (!failedAt && isKnown && at >= part.data() &&
          at <= part.data() + part.size())
        failedAt = at;
      throw;
    }
  }

  /// Null if the position is unknown.
  const char *getFailure() const { return failedAt; }

private:
  const char *failedAt = nullptr;
};

} // namespace mlirprof::importer::speedscope

#endif // MLIR_PROF_LIB_IMPORT_SPEEDSCOPE_PARTS_H
