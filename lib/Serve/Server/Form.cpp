//===- Form.cpp - Forms that upload files ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Form.h"
#include "llvm/ADT/StringExtras.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace mlirprof;
using namespace mlirprof::serve;

static constexpr size_t kMostField = 1000;
static constexpr size_t kMostParts = 16;

bool FormReader::closeFile() {
  int closing = std::exchange(descriptor, -1);
  return closing < 0 || ::close(closing) == 0;
}

/// A name without the parts that could name another place. Its end tells the
/// format of some files.
static std::string makeFileName(llvm::StringRef name) {
  constexpr size_t kMostName = 100;
  name = name.rsplit('/').second.empty() ? name : name.rsplit('/').second;
  std::string safe;
  for (char c : name.take_back(kMostName))
    safe += llvm::isAlnum(c) || c == '-' || c == '.' ? c : '_';
  if (safe.empty() || safe.front() == '.' || safe.front() == '-')
    safe = "_" + safe;
  return safe;
}

bool FormReader::begin(const httplib::MultipartFormData &part) {
  if (!closeFile() || to.files.size() + to.fields.size() == kMostParts)
    return false;
  if (part.filename.empty()) {
    to.fields.emplace_back(part.name, "");
    return true;
  }
  std::string path = scratch.str() + "/" + std::to_string(to.files.size());
  if (::mkdir(path.c_str(), 0700) != 0)
    return false;
  path += "/" + makeFileName(part.filename);
  descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  to.files.push_back({part.name, part.filename, path});
  return descriptor >= 0;
}

bool FormReader::add(const char *data, size_t size) {
  if (descriptor < 0) {
    if (to.fields.empty() || to.fields.back().second.size() + size > kMostField)
      return false;
    to.fields.back().second.append(data, size);
    return true;
  }
  while (size != 0) {
    ssize_t count = ::write(descriptor, data, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    data += count;
    size -= size_t(count);
  }
  return true;
}
