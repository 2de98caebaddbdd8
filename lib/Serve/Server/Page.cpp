//===- Page.cpp - The page ------------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Page.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/SHA256.h"

using namespace mlirprof;
using namespace mlirprof::serve;

namespace {
#include "PageData.inc"
} // namespace

llvm::StringRef serve::getPage() {
  return llvm::StringRef(reinterpret_cast<const char *>(kPage), sizeof(kPage));
}

/// The hashes of the contents of all elements `name`, as a policy lists them.
static std::string hashElements(llvm::StringRef page, llvm::StringRef name) {
  std::string hashes;
  std::string open = "<" + name.str(), close = "</" + name.str() + ">";
  while (true) {
    size_t at = page.find(open);
    if (at == llvm::StringRef::npos)
      break;
    page = page.drop_front(at + open.size());
    if (page.empty() || (page.front() != '>' && page.front() != ' '))
      continue;
    auto [attributes, rest] = page.split('>');
    size_t end = rest.find(close);
    if (end == llvm::StringRef::npos)
      break;
    page = rest.drop_front(end);
    if (attributes.contains("application/json"))
      continue;
    llvm::SHA256 hash;
    hash.update(rest.take_front(end));
    hashes += " 'sha256-" + llvm::encodeBase64(hash.final()) + "'";
  }
  return hashes.empty() ? " 'none'" : hashes;
}

std::string serve::makeContentPolicy(llvm::StringRef page) {
  // Elements take their places by style attributes of scripts, which the
  // policy does not concern.
  return "default-src 'none'; script-src" + hashElements(page, "script") +
         "; style-src" + hashElements(page, "style") +
         "; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; "
         "form-action 'none'; frame-ancestors 'self'";
}
