//===- DumpLocations.cpp - Locations in MLIR text -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DumpLocations.h"
#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::iree;
using namespace mlirprof::trace;
using llvm::StringRef;

/// Limit on nested locations; deeper ones are left out.
static constexpr unsigned kMaxDepth = 1000;
static constexpr size_t kMaxNames = 64;
/// The number of the unknown location.
static constexpr uint32_t kUnknown = 0;

DumpLocations::DumpLocations() { intern("unknown", {}); }

void DumpLocations::addAlias(StringRef alias, StringRef text) {
  aliases.try_emplace(alias, Alias{text, kNone});
}

uint32_t DumpLocations::intern(std::string key,
                               std::vector<std::string> ownNames) {
  auto [it, isNew] = known.try_emplace(key, uint32_t(names.size()));
  if (isNew)
    names.push_back(std::move(ownNames));
  return it->second;
}

uint32_t DumpLocations::read(StringRef text) {
  DumpLexer lexer(text);
  return parse(lexer, lexer.next(), 0);
}

uint32_t DumpLocations::parse(DumpLexer &lexer, Token token, unsigned depth) {
  if (depth > kMaxDepth)
    return kUnknown;
  if (token.kind == TokenKind::Sigil && token.mark == '#')
    return parseAlias(token.text, depth);
  if (token.kind == TokenKind::String)
    return parseText(lexer, token, depth);
  if (token.kind != TokenKind::Word)
    return kUnknown;
  if (token.text == "callsite")
    return parseCall(lexer, depth);
  return token.text == "fused" ? parseFused(lexer, depth) : kUnknown;
}

uint32_t DumpLocations::parseAlias(StringRef alias, unsigned depth) {
  auto it = aliases.find(alias);
  // An alias that needs itself is damaged.
  if (it == aliases.end() || it->second.isOpen)
    return kUnknown;
  if (it->second.location != kNone)
    return it->second.location;
  it->second.isOpen = true;
  DumpLexer lexer(it->second.text);
  uint32_t location = parse(lexer, lexer.next(), depth + 1);
  it->second.isOpen = false;
  it->second.location = location;
  return location;
}

/// Skips past the bracket that closes the level with `outside` brackets around
/// it.
static void skipTo(DumpLexer &lexer, uint32_t outside) {
  Token token = lexer.next();
  while (token.kind != TokenKind::End &&
         !(token.kind == TokenKind::Close && token.depth <= outside))
    token = lexer.next();
}

/// "name", "name"(LOCATION), "file":LINE:COLUMN.
uint32_t DumpLocations::parseText(DumpLexer &lexer, Token token,
                                  unsigned depth) {
  std::string text = unescapeMlir(token.text);
  StringRef rest = lexer.getRest();
  uint32_t line, column;
  if (rest.consume_front(":") && !rest.consumeInteger(10, line) &&
      rest.consume_front(":") && !rest.consumeInteger(10, column)) {
    text += ":" + std::to_string(line) + ":" + std::to_string(column);
    return intern("file " + text, {text});
  }
  uint32_t child = kUnknown;
  if (lexer.getRest().starts_with("(")) {
    lexer.next();
    child = parse(lexer, lexer.next(), depth + 1);
    skipTo(lexer, token.depth);
  }
  std::string key = "name " + std::to_string(child) + " " + text;
  return intern(std::move(key),
                text.empty() ? names[child] : std::vector<std::string>{text});
}

/// (CALLEE at CALLER).
uint32_t DumpLocations::parseCall(DumpLexer &lexer, unsigned depth) {
  uint32_t outside = lexer.next().depth;
  uint32_t callee = parse(lexer, lexer.next(), depth + 1);
  Token token = lexer.next();
  while (token.kind != TokenKind::End && token.depth > outside &&
         token.text != "at")
    token = lexer.next();
  uint32_t caller =
      token.text == "at" ? parse(lexer, lexer.next(), depth + 1) : kUnknown;
  skipTo(lexer, outside);
  return intern("call " + std::to_string(callee) + " " + std::to_string(caller),
                names[callee]);
}

/// <METADATA>[LOCATION, ...].
uint32_t DumpLocations::parseFused(DumpLexer &lexer, unsigned depth) {
  Token token = lexer.next();
  uint32_t outside = token.depth;
  while (token.kind != TokenKind::End &&
         !(token.mark == '[' && token.depth == outside))
    token = lexer.next();
  std::string key = "fused";
  std::vector<std::string> all;
  for (token = lexer.next();
       token.kind != TokenKind::End &&
       !(token.kind == TokenKind::Close && token.depth <= outside);
       token = lexer.next()) {
    if (token.kind == TokenKind::Other || token.depth != outside + 1)
      continue;
    uint32_t part = parse(lexer, token, depth + 1);
    key += " " + std::to_string(part);
    for (const std::string &name : names[part])
      if (all.size() < kMaxNames && !llvm::is_contained(all, name))
        all.push_back(name);
  }
  return intern(std::move(key), std::move(all));
}
