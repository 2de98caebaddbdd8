//===- Parts.h - Parts of a JSON document -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// simdjson's lookup of a key in an object on demand takes for granted that what
// it has skipped before was valid. In a damaged file it is not, so objects are
// read in one pass, and what is needed of their members in another order is
// read as a document of its own.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_SPEEDSCOPE_PARTS_H
#define MLIR_PROF_LIB_IMPORT_SPEEDSCOPE_PARTS_H

#include "../Common/Json/Text.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace mlirprof::importer::speedscope {

/// Text of a value of a padded document; empty: it is not there.
using Part = std::string_view;

/// Calls `onMember` with each member's key and value, which it reads or leaves.
inline void
readMembers(simdjson::ondemand::object object,
            llvm::function_ref<void(json::RawKey, simdjson::ondemand::value)>
                onMember) {
  for (auto field : object)
    onMember(json::RawKey(field.key()), field.value());
}

/// The text of an array or object, which is consumed; of any other value "".
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

/// A string; of any other value "".
inline std::string getText(simdjson::ondemand::value value) {
  std::string_view text;
  simdjson::error_code error = value.get_string().get(text);
  if (error && error != simdjson::INCORRECT_TYPE)
    throw simdjson::simdjson_error(error);
  return error ? std::string() : std::string(text);
}

/// Reads parts of one document; remembers where reading failed first.
class PartReader {
public:
  /// Calls `read` with the part as a document. `part` lies in a padded buffer.
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

  /// Null when it is not known.
  const char *getFailure() const { return failedAt; }

private:
  const char *failedAt = nullptr;
};

} // namespace mlirprof::importer::speedscope

#endif // MLIR_PROF_LIB_IMPORT_SPEEDSCOPE_PARTS_H
