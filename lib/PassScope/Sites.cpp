//===- Sites.cpp - Sites of passes and ops --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sites.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlirprof;
using namespace mlirprof::passscope;
using scope::ScopeRole;
using scope::ScopeType;

bool passscope::isAdaptor(const mlir::Pass &pass) {
  // Its class is not in a public header, and no argument creates it.
  static std::atomic<const void *> known = nullptr;
  const void *id = pass.getTypeID().getAsOpaquePointer();
  if (const void *adaptor = known.load(std::memory_order_relaxed))
    return id == adaptor;
  if (!pass.getName().ends_with("OpToOpPassAdaptor"))
    return false;
  known.store(id, std::memory_order_relaxed);
  return true;
}

prof_scope_site Sites::makeSite(llvm::StringRef name, ScopeType type,
                                ScopeRole role) {
  // Names of sites end at the first zero.
  std::string escaped;
  if (name.contains('\0')) {
    for (char c : name)
      escaped += c ? std::string(1, c) : "\\00";
    name = escaped;
  }
  prof_scope_site site = {};
  site.name = strings.save(name).data();
  site.type = uint16_t(type);
  site.level = level;
  site.role = uint8_t(role);
  return site;
}

Sites::Sites(int level)
    : level(uint8_t(level)),
      verifier(PROF_SCOPE_SITE("verify", uint16_t(ScopeType::Pass),
                               uint8_t(level), uint8_t(ScopeRole::InnerOp))) {}

prof_scope_site &Sites::getNamed(mlir::TypeID id, llvm::StringRef name,
                                 ScopeRole role) {
  Named *&first = named[id];
  for (Named *of = first; of; of = of->next)
    if (of->name == name)
      return of->site;
  Named made = {makeSite(name, ScopeType::Pass, role), {}, first};
  made.name = strings.save(name);
  first = new (memory.Allocate<Named>()) Named(made);
  return first->site;
}

/// The ops on which the pipelines of an adaptor run, such as "func.func".
static std::string describePipelines(const mlir::Pass &adaptor) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Prints pipelines such as func.func(cse),gpu.module(...).
  const_cast<mlir::Pass &>(adaptor).printAsTextualPipeline(os);
  std::string anchors;
  int depth = 0;
  for (char c : text) {
    depth -= c == ')' || c == '}';
    if (!depth && c != ')' && c != '(' && c != '}' && c != '{')
      anchors += c;
    depth += c == '(' || c == '{';
  }
  return anchors;
}

prof_scope_site &Sites::getPipeline(const mlir::Pass &adaptor, bool mayCache) {
  prof_scope_site *uncached = nullptr;
  prof_scope_site *&site =
      mayCache ? pipelines[adaptor.getThreadingSiblingOrThis()] : uncached;
  if (!site)
    site =
        &getNamed(adaptor.getTypeID(), describePipelines(adaptor) + " pipeline",
                  ScopeRole::InnerOp);
  return *site;
}

static mlir::StringAttr findSymbol(mlir::Operation &op) {
  if (auto symbol = llvm::dyn_cast<mlir::SymbolOpInterface>(op))
    return symbol.getNameAttr();
  return op.getAttrOfType<mlir::StringAttr>(
      mlir::SymbolTable::getSymbolAttrName());
}

prof_scope_site *Sites::makeOpSite(mlir::Operation &op,
                                   mlir::StringAttr symbol) {
  std::string name = op.getName().getStringRef().str();
  if (symbol)
    name += (" @" + symbol.getValue()).str();
  auto *site = new (memory.Allocate<prof_scope_site>())
      prof_scope_site(makeSite(name, ScopeType::Operator, ScopeRole::Ordinary));
  if (auto place = op.getLoc()->findInstanceOf<mlir::FileLineColLoc>()) {
    site->file = place.getFilename().getValue().data();
    site->line = place.getLine();
  }
  return site;
}

prof_scope_site &Sites::getOp(mlir::Operation &op) {
  mlir::StringAttr symbol = findSymbol(op);
  prof_scope_site *&site =
      ops[{op.getName().getAsOpaquePointer(), symbol.getAsOpaquePointer(),
           op.getLoc().getAsOpaquePointer()}];
  if (!site)
    site = makeOpSite(op, symbol);
  return *site;
}
