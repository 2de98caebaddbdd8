//===- ObjectText.cpp - The code in an object -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectText.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace mlirprof::record;

llvm::Expected<std::vector<llvm::ArrayRef<uint8_t>>>
mlirprof::record::getTextSections(llvm::StringRef object) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(object, "the object"));
  if (!file)
    return file.takeError();
  std::vector<llvm::ArrayRef<uint8_t>> sections;
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    if (!section.isText() || section.getSize() == 0)
      continue;
    auto contents = section.getContents();
    if (!contents)
      return contents.takeError();
    sections.emplace_back(contents->bytes_begin(), contents->size());
  }
  return sections;
}
