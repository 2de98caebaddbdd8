//===- DumpLexer.cpp - Lexing MLIR text of any dialect --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DumpLexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof::importer;
using namespace mlirprof::importer::iree;
using llvm::StringRef;

static bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
}

void DumpLexer::skipSpace() {
  while (at < text.size()) {
    if (llvm::isSpace(text[at]))
      ++at;
    else if (text.substr(at, 2) == "//")
      at = std::min(text.find('\n', at), text.size());
    else
      return;
  }
}

StringRef DumpLexer::takeWord() {
  size_t begin = at;
  // A minus is part of names, except before the arrow.
  while (at < text.size() && isWordPart(text[at]) && text.substr(at, 2) != "->")
    ++at;
  return text.slice(begin, at);
}

/// From after the opening quote to after the closing one.
StringRef DumpLexer::takeString() {
  size_t begin = at;
  while (true) {
    at = text.find_first_of("\"\\", at);
    if (at == StringRef::npos) {
      at = text.size();
      return text.drop_front(begin);
    }
    if (text[at] == '"')
      return text.slice(begin, at++);
    at = std::min(at + 2, text.size());
  }
}

/// From after the opening bracket to after the closing one.
StringRef DumpLexer::takeLocation() {
  size_t begin = at;
  uint32_t open = 1;
  while (at < text.size()) {
    char c = text[at++];
    if (c == '"')
      takeString();
    else if (c == '(')
      ++open;
    else if (c == ')' && --open == 0)
      return text.slice(begin, at - 1);
  }
  return text.drop_front(begin);
}

Token DumpLexer::next() {
  skipSpace();
  Token token;
  token.depth = depth;
  if (at == text.size())
    return token;
  char c = text[at];
  token.mark = c;
  if (llvm::isAlpha(c) || c == '_') {
    token.kind = TokenKind::Word;
    token.text = takeWord();
    if (token.text == "loc" && getRest().starts_with("(")) {
      ++at;
      token.kind = TokenKind::Location;
      token.text = takeLocation();
    }
    return token;
  }
  ++at;
  if (c == '"') {
    token.kind = TokenKind::String;
    token.text = takeString();
  } else if (StringRef("@%^#!").contains(c)) {
    token.kind = TokenKind::Sigil;
    bool isQuoted = getRest().starts_with("\"");
    at += isQuoted;
    token.text = isQuoted ? takeString() : takeWord();
  } else if (StringRef("([{").contains(c)) {
    token.kind = TokenKind::Open;
    ++depth;
  } else if (StringRef(")]}").contains(c)) {
    token.kind = TokenKind::Close;
    depth -= depth != 0;
    token.depth = depth;
  } else {
    token.kind = TokenKind::Other;
  }
  return token;
}

std::string mlirprof::importer::iree::unescapeMlir(StringRef quoted) {
  std::string plain;
  while (!quoted.empty()) {
    auto [before, after] = quoted.split('\\');
    plain += before;
    if (before.size() == quoted.size())
      return plain;
    quoted = after;
    uint8_t code;
    if (quoted.starts_with("n") || quoted.starts_with("t")) {
      plain += quoted.front() == 'n' ? '\n' : '\t';
      quoted = quoted.drop_front();
    } else if (quoted.size() >= 2 && llvm::isHexDigit(quoted[0]) &&
               !quoted.take_front(2).getAsInteger(16, code)) {
      plain += char(code);
      quoted = quoted.drop_front(2);
    } else if (!quoted.empty()) {
      plain += quoted.front();
      quoted = quoted.drop_front();
    }
  }
  return plain;
}
