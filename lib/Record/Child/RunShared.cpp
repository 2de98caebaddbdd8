//===- RunShared.cpp - Memory shared by a run and its watcher -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunShared.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::record;

void SharedRun::setMessage(const char *text) {
  size_t length = std::min(std::strlen(text), kMessageBytes - 1);
  std::memcpy(message, text, length);
  message[length] = 0;
}

std::string SharedRun::getMessage() const {
  return std::string(message, strnlen(message, sizeof message));
}

llvm::Expected<SharedRunMapping> SharedRunMapping::create(uint32_t threads) {
  threads = std::min(threads, SharedRun::kMaxThreads);
  size_t size = getSize(threads);
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, /*fd=*/-1, 0);
  if (memory == MAP_FAILED)
    return inputError("recording", std::strerror(errno),
                      "It needs " + llvm::Twine(size >> 20) +
                          " MiB of addresses, of which it uses little.");
  // Not by a constructor, which would write to every page.
  auto *run = static_cast<SharedRun *>(memory);
  new (&run->phase) std::atomic<RunPhase>(RunPhase::Loading);
  return SharedRunMapping(run, threads);
}

SharedRunMapping::~SharedRunMapping() {
  if (run)
    munmap(run, getSize(maxThreads));
}

llvm::Expected<SharedFile> SharedFile::create(const char *purpose) {
  int descriptor = moveAboveStandard(memfd_create(purpose, MFD_CLOEXEC));
  if (descriptor < 0)
    return inputError(purpose, std::strerror(errno));
  return SharedFile(descriptor);
}

SharedFile::~SharedFile() {
  if (descriptor >= 0)
    close(descriptor);
}

bool SharedFile::write(const void *bytes, size_t size) const {
  const char *position = static_cast<const char *>(bytes);
  while (size != 0) {
    ssize_t written = ::write(descriptor, position, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    position += written;
    size -= size_t(written);
  }
  return true;
}

bool SharedFile::overwrite(llvm::StringRef bytes) const {
  return lseek(descriptor, 0, SEEK_SET) == 0 &&
         write(bytes.data(), bytes.size()) &&
         ftruncate(descriptor, off_t(bytes.size())) == 0;
}

bool SharedFile::overwrite(
    llvm::function_ref<void(llvm::raw_ostream &)> write) const {
  if (lseek(descriptor, 0, SEEK_SET) != 0)
    return false;
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/false);
  write(os);
  os.flush();
  bool isGood = !os.has_error();
  // The stream's destructor aborts on an unhandled error.
  os.clear_error();
  return isGood && ftruncate(descriptor, off_t(os.tell())) == 0;
}

size_t SharedFile::getSize() const {
  struct stat status;
  return fstat(descriptor, &status) == 0 && status.st_size > 0
             ? size_t(status.st_size)
             : 0;
}

size_t SharedFile::readInto(llvm::MutableArrayRef<char> bytes) const {
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t size =
        pread(descriptor, &bytes[done], bytes.size() - done, off_t(done));
    if (size < 0 && errno == EINTR)
      continue;
    if (size <= 0)
      break;
    done += size_t(size);
  }
  return done;
}

std::string SharedFile::read() const {
  std::string bytes(getSize(), '\0');
  bytes.resize(readInto(bytes));
  return bytes;
}

std::unique_ptr<llvm::MemoryBuffer> SharedFile::readPages() const {
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      getSize(), "a shared file", llvm::Align(size_t(sysconf(_SC_PAGESIZE))));
  if (!buffer)
    llvm::report_bad_alloc_error("no memory for a shared file");
  // A file with missing bytes does not parse.
  size_t size = readInto(buffer->getBuffer());
  llvm::fill(buffer->getBuffer().drop_front(size), '\0');
  return buffer;
}

llvm::Expected<RunFiles> RunFiles::create() {
  auto values = SharedFile::create("mlir-prof values");
  if (!values)
    return values.takeError();
  auto addresses = SharedFile::create("mlir-prof addresses");
  if (!addresses)
    return addresses.takeError();
  auto raw = SharedFile::create("mlir-prof raw profile");
  if (!raw)
    return raw.takeError();
  auto scopes = SharedFile::create("mlir-prof scopes");
  if (!scopes)
    return scopes.takeError();
  return RunFiles{std::move(*values), std::move(*addresses), std::move(*raw),
                  std::move(*scopes)};
}
