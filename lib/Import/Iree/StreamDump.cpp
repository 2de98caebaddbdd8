//===- StreamDump.cpp - IREE's modules of the stream phase ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR cannot parse such a module without IREE's dialects, unless it was
// printed in the generic form. But only a few of its ops matter, and each op,
// whatever its syntax, ends with its location. So the text is split into words:
// an op of interest begins with its name, and ends with the next location at
// the same depth of brackets.
//
//===----------------------------------------------------------------------===//

#include "StreamDump.h"
#include "DumpOps.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::iree;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

/// An op whose end was not seen yet.
struct OpenOp {
  OpOfInterest kind = OpOfInterest::Executable;
  uint32_t depth = 0;
  std::string name;
  /// Function: the number of brackets around the ops of its body.
  uint32_t bodyDepth = kNone;
  /// Execute: its number, and the number of its commands so far.
  uint32_t execute = kNone;
  uint32_t commands = 0;
  DumpSite site;
  /// Ops with the text of their locations.
  std::vector<std::pair<std::string, StringRef>> body;
  /// Body: the op whose location comes next, "" at the begin of one.
  std::string statement;
};

/// An op that needs all aliases before its location can be read.
struct ReadSite {
  uint32_t execute;
  uint32_t position;
  StringRef location;
};

class Reader {
public:
  Reader(StringRef text, StringRef where) : where(where), lexer(text) {}
  llvm::Expected<StreamDump> read();

private:
  void take(const Token &token);
  void open(OpOfInterest kind, const Token &token);
  void close(StringRef location);
  OpenOp *findOpen(llvm::ArrayRef<OpOfInterest> kinds);
  void countCommand(OpOfInterest kind);
  void takeSigil(const Token &token);
  void takeBracket(const Token &token);
  bool takeStatement(const Token &token);
  void takeLocation(const Token &token);
  void keepSite(OpenOp &op, StringRef location);
  std::string readSymbol(StringRef first);
  void resolve();

  StringRef where;
  DumpLexer lexer;
  Token previous;
  Token beforePrevious;
  bool hasLocations = false;
  std::vector<OpenOp> stack;
  StreamDump dump;
  std::vector<ReadSite> sites;
  struct ReadBody {
    std::string entry;
    StringRef location;
    std::vector<std::pair<std::string, StringRef>> ops;
  };
  std::vector<ReadBody> bodies;
};

} // namespace

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void Reader::open(OpOfInterest kind, const Token &token) {
  // A function outside of executables is not a body.
  if (kind == OpOfInterest::Function && !findOpen(OpOfInterest::Executable))
    return;
  OpenOp op;
  op.kind = kind;
  op.depth = token.depth;
  if (kind == OpOfInterest::Execute) {
    op.execute = uint32_t(dump.executes.size());
    dump.executes.emplace_back();
  }
  stack.push_back(std::move(op));
}

/// "first::last" of "@first::@second::@last": later phases insert variants of
/// executables.
std::string Reader::readSymbol(StringRef first) {
  StringRef last;
  while (lexer.getRest().starts_with("::@")) {
    lexer.next();
    lexer.next();
    last = lexer.next().text;
  }
  return unescapeMlir(first) + "::" + unescapeMlir(last);
}

void Reader::takeSigil(const Token &token) {
  if (token.mark != '@' || stack.empty())
    return;
  OpenOp &op = stack.back();
  if (op.kind == OpOfInterest::Dispatch) {
    if (lexer.getRest().starts_with("::@"))
      op.site.entries.push_back(readSymbol(token.text));
  } else if (op.name.empty() && token.depth == op.depth) {
    op.name = unescapeMlir(token.text);
  }
}

/// The body of a function opens with the first brace after its type that does
/// not open attributes; in the generic form with "({".
void Reader::takeBracket(const Token &token) {
  if (token.mark != '{' || stack.empty())
    return;
  OpenOp &op = stack.back();
  if (op.kind != OpOfInterest::Function || op.bodyDepth != kNone)
    return;
  bool isCustom = token.depth == op.depth && previous.text != "attributes" &&
                  previous.mark != '<';
  bool isGeneric = token.depth == op.depth + 1 && previous.mark == '(' &&
                   previous.kind == TokenKind::Open;
  if (isCustom || isGeneric)
    op.bodyDepth = token.depth + 1;
}

/// Whether `token` belongs to the body of a function.
bool Reader::takeStatement(const Token &token) {
  if (stack.empty())
    return false;
  OpenOp &op = stack.back();
  if (op.kind != OpOfInterest::Function || token.depth < op.bodyDepth)
    return false;
  if (token.depth > op.bodyDepth)
    return true;
  bool isName =
      token.kind == TokenKind::Word || token.kind == TokenKind::String;
  if (isName && op.statement.empty()) {
    op.statement = token.text.str();
  } else if (token.kind == TokenKind::Location) {
    if (isWork(op.statement))
      op.body.emplace_back(std::move(op.statement), token.text);
    op.statement.clear();
  }
  return true;
}

OpenOp *Reader::findOpen(llvm::ArrayRef<OpOfInterest> kinds) {
  auto found = llvm::find_if(llvm::reverse(stack), [&](const OpenOp &op) {
    return llvm::is_contained(kinds, op.kind);
  });
  return found == stack.rend() ? nullptr : &*found;
}

/// Counts the op that ends here as the compiler creates commands from it: a
/// barrier follows each, unless it is one of several at the same time.
void Reader::countCommand(OpOfInterest kind) {
  OpenOp *execute = findOpen(OpOfInterest::Execute);
  if (!execute)
    return;
  execute->commands +=
      kind == OpOfInterest::Dispatch || kind == OpOfInterest::Transfer;
  OpenOp *around = findOpen(
      {OpOfInterest::Execute, OpOfInterest::Serial, OpOfInterest::Concurrent});
  execute->commands += around->kind != OpOfInterest::Concurrent;
}

void Reader::keepSite(OpenOp &op, StringRef location) {
  OpenOp *execute = findOpen(OpOfInterest::Execute);
  if (!execute || op.site.entries.empty())
    return;
  std::vector<DumpSite> &siblings = dump.executes[execute->execute];
  sites.push_back({execute->execute, uint32_t(siblings.size()), location});
  op.site.command = execute->commands;
  siblings.push_back(std::move(op.site));
}

/// Closes the innermost open op.
void Reader::close(StringRef location) {
  OpenOp op = std::move(stack.back());
  stack.pop_back();
  if (op.kind == OpOfInterest::Dispatch)
    keepSite(op, location);
  if (op.kind >= OpOfInterest::Dispatch)
    return countCommand(op.kind);
  if (op.kind != OpOfInterest::Function || op.name.empty())
    return;
  if (OpenOp *executable = findOpen(OpOfInterest::Executable))
    bodies.push_back(
        {executable->name + "::" + op.name, location, std::move(op.body)});
}

void Reader::takeLocation(const Token &token) {
  hasLocations = true;
  if (token.depth == 0 && previous.mark == '=' &&
      beforePrevious.kind == TokenKind::Sigil && beforePrevious.mark == '#')
    dump.locations.addAlias(beforePrevious.text, token.text);
  while (!stack.empty() && stack.back().depth > token.depth)
    stack.pop_back();
  if (!stack.empty() && stack.back().depth == token.depth)
    close(token.text);
}

void Reader::take(const Token &token) {
  if (takeStatement(token))
    return;
  bool isGenericName =
      token.kind == TokenKind::String && lexer.getRest().starts_with("(");
  if (token.kind == TokenKind::Word || isGenericName) {
    if (auto kind = getOpOfInterest(token.text))
      return open(*kind, token);
  }
  if (token.kind == TokenKind::String && previous.mark == '=' &&
      beforePrevious.text == "sym_name" && !stack.empty() &&
      stack.back().name.empty() && token.depth == stack.back().depth + 1)
    stack.back().name = unescapeMlir(token.text);
  if (token.kind == TokenKind::Sigil)
    takeSigil(token);
  else if (token.kind == TokenKind::Open)
    takeBracket(token);
  else if (token.kind == TokenKind::Location)
    takeLocation(token);
}

//===----------------------------------------------------------------------===//
// The main functions
//===----------------------------------------------------------------------===//

void Reader::resolve() {
  for (const ReadSite &site : sites)
    dump.executes[site.execute][site.position].location =
        dump.locations.read(site.location);
  for (ReadBody &read : bodies) {
    DumpBody &body = dump.bodies[read.entry];
    auto changesLayout = [](const auto &op) {
      return isLayoutChange(op.first);
    };
    if (!llvm::all_of(read.ops, changesLayout))
      llvm::erase_if(read.ops, changesLayout);
    body.location = dump.locations.read(read.location);
    for (auto &[name, location] : read.ops)
      body.ops.push_back({std::move(name), dump.locations.read(location)});
  }
}

llvm::Expected<StreamDump> Reader::read() {
  for (Token token = lexer.next(); token.kind != TokenKind::End;
       token = lexer.next()) {
    take(token);
    beforePrevious = previous;
    previous = token;
  }
  constexpr llvm::StringLiteral command =
      "Compile with --mlir-print-debuginfo --dump-compilation-phases-to=DIR, "
      "with the options of the module that ran otherwise, and give "
      "DIR/MODEL.7.stream.mlir, whose number depends on IREE's version.";
  if (dump.executes.empty())
    return inputError(where, "is not a module of IREE's stream phase", command);
  if (!hasLocations)
    return inputError(where, "does not have locations", command);
  resolve();
  return std::move(dump);
}

const DumpOp *DumpBody::getRoot() const {
  for (const DumpOp &op : llvm::reverse(ops))
    if (op.location == location)
      return &op;
  return ops.empty() ? nullptr : &ops.back();
}

llvm::Expected<StreamDump> iree::readStreamDump(StringRef text,
                                                StringRef where) {
  return Reader(text, where).read();
}
