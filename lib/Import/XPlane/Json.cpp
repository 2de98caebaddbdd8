//===- Json.cpp - The JSON form -------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Importers.h"
#include "JsonSchema.h"
#include "XPlane.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

#include <protozero/pbf_writer.hpp>
#include <simdjson.h>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
namespace dom = simdjson::dom;
using protozero::pbf_writer;

namespace {

llvm::StringRef toRef(std::string_view view) {
  return llvm::StringRef(view.data(), view.size());
}

/// Whether the JSON key `key` is a spelling of the field `name`.
bool spells(llvm::StringRef key, llvm::StringRef name) {
  for (char c : key) {
    if (c == '_')
      continue;
    if (name.empty() || llvm::toLower(c) != name.front())
      return false;
    name = name.drop_front();
  }
  return name.empty();
}

//===----------------------------------------------------------------------===//
// Writing them
//===----------------------------------------------------------------------===//

/// Converts JSON to the binary messages that it represents. Recursion is
/// bounded by the nesting of the messages, whatever the input.
class Transcoder {
public:
  explicit Transcoder(EventSink &sink) : sink(sink) {}
  ~Transcoder() {
    if (unknown)
      sink.loss("JSON key that an XSpace does not have", unknown, 0);
    if (unreadable)
      sink.loss("JSON value of an unexpected type", unreadable, 0);
  }

  void writeMessage(dom::element value, const MessageSpec &spec,
                    pbf_writer &writer);

private:
  void writeField(dom::element value, const FieldSpec &field,
                  pbf_writer &writer);
  void writeValue(dom::element value, const FieldSpec &field,
                  pbf_writer &writer);
  void writeMap(dom::element value, const FieldSpec &field, pbf_writer &writer);
  void writeEntry(std::optional<int64_t> key, dom::element value,
                  const FieldSpec &field, pbf_writer &writer);
  void writeDouble(dom::element value, const FieldSpec &field,
                   pbf_writer &writer);
  void writeBytes(llvm::StringRef text, const FieldSpec &field,
                  pbf_writer &writer);
  std::optional<int64_t> getInteger(dom::element value);

  EventSink &sink;
  uint64_t unknown = 0;
  uint64_t unreadable = 0;
};

/// An integer, written as a number or as a string, signed or not; beyond the
/// signed range, its bits.
std::optional<int64_t> Transcoder::getInteger(dom::element value) {
  int64_t integer;
  uint64_t large;
  double real;
  std::string_view text;
  if (!value.get(integer))
    return integer;
  if (!value.get(large))
    return int64_t(large);
  if (!value.get(real) && real >= -9007199254740992.0 &&
      real <= 9007199254740992.0 && double(int64_t(real)) == real)
    return int64_t(real);
  if (!value.get(text)) {
    if (!toRef(text).getAsInteger(10, integer))
      return integer;
    if (!toRef(text).getAsInteger(10, large))
      return int64_t(large);
  }
  ++unreadable;
  return std::nullopt;
}

void Transcoder::writeDouble(dom::element value, const FieldSpec &field,
                             pbf_writer &writer) {
  double real;
  std::string_view text;
  // NaN and infinities are strings in JSON.
  if (!value.get(real) || (!value.get(text) && !toRef(text).getAsDouble(real)))
    writer.add_double(field.number, real);
  else
    ++unreadable;
}

void Transcoder::writeBytes(llvm::StringRef text, const FieldSpec &field,
                            pbf_writer &writer) {
  // Both alphabets are allowed, and padding may be absent.
  std::string base64 = text.rtrim('=').str();
  for (char &c : base64)
    c = c == '-' ? '+' : c == '_' ? '/' : c;
  base64.append((4 - base64.size() % 4) % 4, '=');
  std::vector<char> bytes;
  if (llvm::Error error = llvm::decodeBase64(base64, bytes)) {
    llvm::consumeError(std::move(error));
    ++unreadable;
    return;
  }
  writer.add_bytes(field.number, bytes.data(), bytes.size());
}

void Transcoder::writeValue(dom::element value, const FieldSpec &field,
                            pbf_writer &writer) {
  std::string_view text;
  switch (field.kind) {
  case FieldKind::Int64:
  case FieldKind::Uint64:
    if (std::optional<int64_t> integer = getInteger(value))
      writer.add_int64(field.number, *integer);
    return;
  case FieldKind::Double:
    return writeDouble(value, field, writer);
  case FieldKind::String:
  case FieldKind::Bytes:
    if (value.get(text))
      ++unreadable;
    else if (field.kind == FieldKind::Bytes)
      writeBytes(toRef(text), field, writer);
    else
      writer.add_string(field.number, text.data(), text.size());
    return;
  case FieldKind::Message: {
    pbf_writer nested(writer, field.number);
    return writeMessage(value, *field.message, nested);
  }
  case FieldKind::Map:
    return writeMap(value, field, writer);
  }
}

void Transcoder::writeEntry(std::optional<int64_t> key, dom::element value,
                            const FieldSpec &field, pbf_writer &writer) {
  if (!key)
    return;
  pbf_writer entry(writer, field.number);
  entry.add_int64(1, *key);
  pbf_writer nested(entry, 2);
  writeMessage(value, *field.message, nested);
}

/// A map is an object, or a list of objects with `key` and `value`.
void Transcoder::writeMap(dom::element value, const FieldSpec &field,
                          pbf_writer &writer) {
  dom::object object;
  if (value.get(object)) {
    ++unreadable;
    return;
  }
  dom::element key, item;
  if (!object["value"].get(item) && !object["key"].get(key))
    return writeEntry(getInteger(key), item, field, writer);
  for (dom::key_value_pair entry : object) {
    int64_t number;
    if (toRef(entry.key).getAsInteger(10, number))
      ++unreadable;
    else
      writeEntry(number, entry.value, field, writer);
  }
}

void Transcoder::writeField(dom::element value, const FieldSpec &field,
                            pbf_writer &writer) {
  dom::array list;
  if (value.is_null())
    return;
  if (value.get(list))
    return writeValue(value, field, writer);
  for (dom::element item : list)
    if (!item.is_null())
      writeValue(item, field, writer);
}

void Transcoder::writeMessage(dom::element value, const MessageSpec &spec,
                              pbf_writer &writer) {
  dom::object object;
  if (value.get(object)) {
    ++unreadable;
    return;
  }
  size_t known = 0, keys = 0;
  // In the order of the fields, with which the reader is fastest.
  for (const FieldSpec &field : spec.fields) {
    for (dom::key_value_pair member : object) {
      if (!spells(toRef(member.key), field.name))
        continue;
      ++known;
      writeField(member.value, field, writer);
    }
  }
  for (dom::key_value_pair member : object) {
    (void)member;
    ++keys;
  }
  unknown += keys - known;
}

} // namespace

//===----------------------------------------------------------------------===//
// The importer
//===----------------------------------------------------------------------===//

bool xplane::detectJson(llvm::StringRef bytes) {
  bytes.consume_front("\xef\xbb\xbf");
  bytes = bytes.ltrim();
  if (!bytes.consume_front("{"))
    return false;
  bytes = bytes.ltrim();
  if (!bytes.consume_front("\""))
    return false;
  llvm::StringRef key = bytes.take_until([](char c) { return c == '"'; });
  return llvm::any_of(
      kSpaceFields, [&](const FieldSpec &field) { return key == field.name; });
}

llvm::Error xplane::readJson(const ImportInput &input,
                             ProfileBuilder &builder) {
  llvm::StringRef where = input.where;
  simdjson::padded_string padded(input.bytes.data(), input.bytes.size());
  dom::parser parser;
  dom::element root;
  if (simdjson::error_code error = parser.parse(padded).get(root))
    return inputError(where,
                      llvm::Twine("is not valid JSON: ") +
                          simdjson::error_message(error),
                      "The file is truncated or damaged; write it again, or "
                      "give the binary *.xplane.pb.");
  std::string binary;
  try {
    pbf_writer writer(binary);
    Transcoder(builder).writeMessage(root, kSpace, writer);
  } catch (const std::exception &) {
    return inputError(where, "does not fit into memory",
                      "Give the binary *.xplane.pb, which is not buffered.");
  }
  builder.getRun().facts.emplace_back(
      "input",
      "JSON, held in memory as " + std::to_string(binary.size()) + " bytes");
  return readBinary({binary, where, Backing::Memory}, builder);
}

Importer importer::XPlaneJson() {
  return {"xplane-json", "the same in protobuf's JSON form, *.json",
          xplane::detectJson, xplane::readJson};
}
