//===- HtmlReport.cpp - The page with its data in one file ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Api/Api.h"
#include "Api/Sessions.h"
#include "Server/Page.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Serve/Serve.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::serve;

namespace {

/// Collects answers up to a size, the most important first.
class AnswerBook {
public:
  AnswerBook(Api &api, uint64_t mostBytes) : api(api), mostBytes(mostBytes) {}

  /// Asks for `path`, and keeps the answer if it fits; null without one. `what`
  /// names it for people.
  std::optional<llvm::json::Value>
  add(llvm::StringRef path, llvm::StringRef what, llvm::StringRef query = "");
  /// Keeps the timeline at a width if it fits; whether it did.
  bool addTimeline(const std::string &path, llvm::StringRef pixels);
  void write(llvm::json::OStream &json) const;

private:
  Api &api;
  uint64_t mostBytes;
  uint64_t bytes = 0;
  std::vector<std::pair<std::string, std::string>> answers;
  std::vector<std::string> leftOut;
};

} // namespace

std::optional<llvm::json::Value> AnswerBook::add(llvm::StringRef path,
                                                 llvm::StringRef what,
                                                 llvm::StringRef query) {
  Request request;
  request.method = "GET";
  request.path = path.str();
  request.parameters = *parseQuery(query);
  request.isForFile = true;
  Answer given = answer(api, std::move(request));
  if (given.status != 200)
    return std::nullopt;
  auto value = llvm::json::parse(given.body);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  if (bytes + given.body.size() > mostBytes) {
    leftOut.push_back(what.str() + " (" +
                      formatCount(given.body.size(), "byte") + ")");
    return std::move(*value);
  }
  bytes += given.body.size();
  std::string key = path.drop_front().str();
  if (!query.empty())
    key += "?" + query.str();
  answers.emplace_back(std::move(key), std::move(given.body));
  return std::move(*value);
}

/// The events that the bars of a timeline join.
static uint64_t countJoined(const llvm::json::Value &timeline) {
  uint64_t joined = 0;
  for (const llvm::json::Value &layer :
       *timeline.getAsObject()->getArray("layers"))
    for (const llvm::json::Value &merged :
         *layer.getAsObject()->getArray("merged"))
      if (uint64_t count = merged.getAsUINT64().value_or(0); count > 1)
        joined += count;
  return joined;
}

bool AnswerBook::addTimeline(const std::string &path, llvm::StringRef pixels) {
  size_t before = answers.size();
  std::string query = "pixels=" + pixels.str();
  auto value = add(path, "the timeline at " + pixels.str() + " pixels", query);
  if (answers.size() == before)
    return false;
  if (uint64_t joined = countJoined(*value))
    leftOut.push_back("the names of " + formatCount(joined, "event") +
                      " narrower than a pixel of the timeline at " +
                      pixels.str() + " pixels");
  // The page asks for the timeline, whatever its width.
  answers.back().first = path.substr(1);
  return true;
}

void AnswerBook::write(llvm::json::OStream &json) const {
  json.object([&] {
    json.attribute("schema", "mlir-prof.page/1");
    json.attributeObject("answers", [&] {
      for (const auto &[path, body] : answers) {
        json.attributeBegin(path);
        json.rawValue(body);
        json.attributeEnd();
      }
    });
    json.attributeArray("left_out", [&] {
      for (const std::string &text : leftOut)
        json.value(report::toJsonText(text));
    });
  });
}

/// The names of the members `name` of the objects in `list`.
static std::vector<std::string> getNames(const llvm::json::Value &answer,
                                         llvm::StringRef list) {
  std::vector<std::string> names;
  const llvm::json::Object *object = answer.getAsObject();
  if (const llvm::json::Array *all = object ? object->getArray(list) : nullptr)
    for (const llvm::json::Value &each : *all)
      if (const llvm::json::Object *named = each.getAsObject())
        if (named->getBoolean("available").value_or(true))
          names.push_back(named->getString("name").value_or("").str());
  return names;
}

static void addAnswers(AnswerBook &book, const std::string &id) {
  std::string base = "/profiles/" + id;
  book.add("/profiles", "the list of profiles");
  auto shown = book.add(base, "the overview");
  book.add("/rules", "the rules of advice");
  book.add(base + "/advice", "advice");
  auto levels = book.add(base + "/modules", "the levels");
  if (shown)
    for (const std::string &name : getNames(*shown, "analyzers"))
      book.add(base + "/analyzers/" + name, "the table " + name);
  if (levels)
    for (const std::string &name : getNames(*levels, "levels"))
      book.add(base + "/modules/" + name, "the text of level " + name);
  book.add(base + "/links", "the links between levels");
  for (const char *by : {"module-path", "call-tree"})
    book.add(base + "/flame", "the tree " + std::string(by),
             "by=" + std::string(by));
  book.add(base + "/graph", "the graph");
  // The finest timeline that fits.
  for (const char *pixels : {"16000", "4000", "1000"})
    if (book.addTimeline(base + "/timeline", pixels))
      break;
  if (levels)
    for (const std::string &name : getNames(*levels, "levels"))
      if (name != "input")
        book.add(base + "/graph", "the graph of level " + name,
                 "level=" + name);
}

/// The page with `data` before its first script.
static void writePage(llvm::raw_ostream &os, const std::string &data) {
  llvm::StringRef page = getPage();
  size_t at = page.find("<script");
  if (at == llvm::StringRef::npos)
    at = page.find("</head>");
  at = std::min(at, page.size());
  os << page.take_front(at)
     << "<script type=\"application/json\" id=\"profile-data\">";
  // No text of the data may end the element.
  for (char c : data)
    if (c == '<')
      os << "\\u003c";
    else
      os << c;
  os << "</script>\n" << page.drop_front(at);
}

llvm::Error serve::writeHtmlReport(llvm::StringRef path, llvm::StringRef model,
                                   uint64_t mostBytes, llvm::raw_ostream &os) {
  llvm::SmallString<128> folder;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("mlir-prof-page", folder))
    return llvm::errorCodeToError(error);
  ScratchFolder scratch(folder.str().str());
  auto store = Store::open(folder);
  if (!store)
    return store.takeError();
  auto prepared = (*store)->makeScratch();
  if (!prepared)
    return prepared.takeError();
  if (llvm::Error error = prepareProfile(path, model, prepared->getPath()))
    return error;
  llvm::SmallString<128> stored(prepared->getPath());
  llvm::sys::path::append(stored, "profile.mlprof");
  if (!llvm::sys::fs::exists(stored))
    if (std::error_code error = llvm::sys::fs::copy_file(path, stored))
      return llvm::errorCodeToError(error);
  StoredProfile profile;
  if (auto isNew = (*store)->add(prepared->getPath(), profile); !isNew)
    return isNew.takeError();
  ServeOptions options;
  SessionCache sessions(**store, options.cacheBytes);
  Api api{**store, sessions, options};
  llvm::StringRef page = getPage();
  AnswerBook book(api, mostBytes > page.size() ? mostBytes - page.size() : 0);
  addAnswers(book, profile.id);
  std::string data;
  {
    llvm::raw_string_ostream text(data);
    llvm::json::OStream json(text);
    book.write(json);
  }
  writePage(os, data);
  return llvm::Error::success();
}
