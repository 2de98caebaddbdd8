//===- DecisionReader.cpp - Reading decisions -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecisionFields.h"
#include "mlir-prof/Support/File.h"
#include "llvm/Support/FileSystem.h"

using namespace mlirprof;
using namespace mlirprof::tuning;

using Element = simdjson::dom::element;
using Object = simdjson::dom::object;
using Array = simdjson::dom::array;

/// The format of a text that is no database of ours says what to do.
static llvm::Error checkFormat(llvm::StringRef where, const Object &top) {
  std::string_view format;
  llvm::StringRef prefix = DecisionDatabase::kFormat.rsplit('/').first;
  // Until version 2 the key was "format".
  if (top.at_key("schema").get(format) && top.at_key("format").get(format))
    return inputError(where,
                      "this is no database of decisions: it has no "
                      "\"schema\"",
                      "Name another file, or remove this one.");
  llvm::StringRef found(format.data(), format.size());
  if (llvm::is_contained(DecisionDatabase::kFormats, found))
    return llvm::Error::success();
  if (found.rsplit('/').first != prefix)
    return inputError(where, "this is no database of decisions",
                      "Name another file, or remove this one.");
  return inputError(where,
                    "its schema \"" + found.take_front(64) +
                        "\" is not known to this version of mlir-prof",
                    "Use the version that wrote it, or name another file; "
                    "this one is left as it is.");
}

/// Reads each entry of `element` by `read` and adds it by `add`.
template <typename Entry>
static llvm::Error readList(llvm::StringRef where, const Object &top,
                            llvm::StringRef name,
                            std::string (*read)(const Object &, Entry &),
                            llvm::function_ref<llvm::Error(Entry)> add) {
  auto fail = [&](const llvm::Twine &place, const llvm::Twine &what) {
    return inputError(where + ": " + name + place, what,
                      "The file is damaged: restore it from a copy, or remove "
                      "it and measure again.");
  };
  Array array;
  if (top.at_key(std::string_view(name.data(), name.size())).get(array))
    return fail("", "is missing or not a list");
  size_t index = 0;
  for (Element element : array) {
    llvm::Twine number(index);
    std::string place = ("[" + number + "]").str();
    ++index;
    Object object;
    if (element.get(object))
      return fail(place, "is not an object");
    Entry entry;
    std::string wrong = read(object, entry);
    if (!wrong.empty())
      return fail(place, wrong);
    if (llvm::Error error = add(std::move(entry))) {
      std::string what;
      llvm::handleAllErrors(std::move(error), [&](const InputError &e) {
        what = e.getWhat().str();
      });
      return fail(place, what);
    }
  }
  return llvm::Error::success();
}

llvm::Expected<DecisionDatabase>
DecisionDatabase::parse(llvm::StringRef text, llvm::StringRef where) {
  llvm::StringRef hint = "The file is damaged: restore it from a copy, or "
                         "remove it and measure again.";
  if (text.size() > kMaxFileBytes)
    return inputError(where, "is too large for a database of decisions",
                      "Name another file, or remove this one.");
  if (text.trim().empty())
    return inputError(where, "is empty", hint);
  simdjson::dom::parser parser;
  Object top;
  simdjson::simdjson_result<Element> parsed =
      parser.parse(text.data(), text.size());
  if (parsed.error())
    return inputError(where,
                      llvm::Twine("is not valid JSON: ") +
                          simdjson::error_message(parsed.error()),
                      hint);
  if (parsed.get(top))
    return inputError(where, "is not a JSON object", hint);
  if (llvm::Error error = checkFormat(where, top))
    return error;
  DecisionDatabase database;
  std::string wrong =
      checkMembers(top, {"schema", "decisions", "observations"});
  if (!wrong.empty())
    return inputError(where, wrong, hint);
  auto decide = [&](Decision decision) -> llvm::Error {
    if (database.decisions.count(decision.key))
      return inputError(where, "decides what another entry decides");
    return database.decide(std::move(decision));
  };
  if (llvm::Error error =
          readList<Decision>(where, top, "decisions", readDecision, decide))
    return error;
  auto observe = [&](Observation observation) {
    return database.observe(std::move(observation));
  };
  if (llvm::Error error = readList<Observation>(where, top, "observations",
                                                readObservation, observe))
    return error;
  return database;
}

llvm::Expected<DecisionDatabase> DecisionDatabase::load(llvm::StringRef path) {
  if (!llvm::sys::fs::exists(path))
    return DecisionDatabase();
  uint64_t size = 0;
  if (!llvm::sys::fs::is_directory(path) &&
      !llvm::sys::fs::file_size(path, size) && size == 0)
    return parse("", path);
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  return unlessChanged(**buffer, parse((*buffer)->getBuffer(), path));
}
