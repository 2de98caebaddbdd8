//===- DumpLexer.h - Lexing MLIR text of any dialect ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_IREE_DUMPLEXER_H
#define MLIR_PROF_LIB_IMPORT_IREE_DUMPLEXER_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace mlirprof::importer::iree {

enum class TokenKind : uint8_t {
  End,
  /// "stream.cmd.dispatch".
  Word,
  /// The text between quotes, as written.
  String,
  /// A word after one of @ % ^ # !, which is Token::mark.
  Sigil,
  Open,
  Close,
  /// The text within loc(...).
  Location,
  /// Any other character, Token::mark.
  Other,
};

struct Token {
  TokenKind kind = TokenKind::End;
  char mark = 0;
  llvm::StringRef text;
  /// The number of brackets around it; for a bracket, those around the pair.
  uint32_t depth = 0;
};

/// Splits the text of a module into words, whatever its dialects, whose syntax
/// is unknown here. Angle brackets do not count as brackets, as arrows contain
/// them too.
class DumpLexer {
public:
  explicit DumpLexer(llvm::StringRef text) : text(text) {}

  Token next();
  /// The text after the last token.
  llvm::StringRef getRest() const { return text.drop_front(at); }

private:
  void skipSpace();
  llvm::StringRef takeWord();
  llvm::StringRef takeString();
  llvm::StringRef takeLocation();

  llvm::StringRef text;
  size_t at = 0;
  uint32_t depth = 0;
};

/// The text that a quoted one represents.
std::string unescapeMlir(llvm::StringRef quoted);

} // namespace mlirprof::importer::iree

#endif // MLIR_PROF_LIB_IMPORT_IREE_DUMPLEXER_H
