//===- Csv.cpp - Comma-separated values -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Csv.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::table;

bool CsvReader::splitLine() {
  fields.assign(1, "");
  line = nextLine;
  bool isQuoted = false;
  size_t at = 0;
  for (; at < rest.size(); ++at) {
    char c = rest[at];
    nextLine += c == '\n';
    if (c == '"' && isQuoted && at + 1 < rest.size() && rest[at + 1] == '"')
      fields.back() += rest[at++];
    else if (c == '"')
      isQuoted = !isQuoted;
    else if (!isQuoted && c == '\n')
      break;
    else if (!isQuoted && c == ',') {
      if (fields.size() == kMostFields) {
        fault = Fault::TooManyFields;
        return false;
      }
      fields.emplace_back();
    } else if (isQuoted || c != '\r')
      fields.back() += c;
  }
  rest = rest.drop_front(std::min(at + 1, rest.size()));
  if (isQuoted)
    fault = Fault::OpenQuote;
  return !isQuoted;
}

bool CsvReader::next() {
  while (!rest.empty()) {
    if (!splitLine())
      return false;
    if (fields.size() > 1 || !fields.front().empty())
      return true;
  }
  return false;
}

llvm::StringRef CsvReader::describeFault() const {
  switch (fault) {
  case Fault::None:
    return "";
  case Fault::OpenQuote:
    return "has a quote that does not end";
  case Fault::TooManyFields:
    return "has more than 4096 columns";
  }
  return "";
}

Header::Header(llvm::ArrayRef<std::string> fields) {
  for (const std::string &name : fields)
    names.push_back(llvm::StringRef(name).trim().str());
  // A byte order mark, which spreadsheets write.
  if (!names.empty() && llvm::StringRef(names[0]).starts_with("\xEF\xBB\xBF"))
    names[0].erase(0, 3);
}

std::optional<size_t> Header::find(llvm::StringRef name) const {
  auto it = llvm::find(names, name);
  if (it == names.end())
    return std::nullopt;
  return size_t(it - names.begin());
}

Header table::peekHeader(llvm::StringRef bytes) {
  constexpr size_t kLongest = 1 << 14;
  llvm::StringRef head = bytes.take_front(kLongest);
  size_t end = head.find('\n');
  if (end == llvm::StringRef::npos && head.size() == kLongest)
    return Header();
  CsvReader reader(head.take_front(end));
  return reader.next() ? Header(reader.getFields()) : Header();
}

llvm::StringRef table::getField(const Header &header,
                                llvm::ArrayRef<std::string> fields,
                                llvm::StringRef name) {
  std::optional<size_t> column = header.find(name);
  if (!column || *column >= fields.size())
    return "";
  return llvm::StringRef(fields[*column]).trim();
}
