//===- File.cpp - Reading and writing whole files -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

#include <filesystem>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlirprof;

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
mlirprof::openInput(llvm::StringRef path) {
  if (path != "-" && llvm::sys::fs::is_directory(path))
    return inputError(path, "is a directory", "Name a file in it.");
  // Some never end ("/dev/zero"); memory does.
  llvm::sys::fs::file_status status;
  if (path != "-" && !llvm::sys::fs::status(path, status) &&
      status.type() == llvm::sys::fs::file_type::character_file)
    return inputError(path, "is a device, not a file",
                      "Pipe it in and name it -, if that is what you mean.");
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return inputError(path, "cannot be read: " + buffer.getError().message(),
                      "Check the path and its permissions.");
  if ((*buffer)->getBufferSize() == 0)
    return inputError(path, "is empty",
                      "The program that should write it may have failed.");
  return std::move(*buffer);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
mlirprof::openPlainInput(llvm::StringRef path) {
  auto buffer = openInput(path);
  if (!buffer || !isGzip((*buffer)->getBuffer()))
    return buffer;
  return gunzip((*buffer)->getBuffer(), path);
}

/// Writes to what cannot be replaced by a renamed file.
static llvm::Error
writeStream(llvm::StringRef path,
            llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  llvm::Error error = llvm::Error::success();
  if (!code) {
    error = write(os);
    os.flush();
    code = os.error();
    // The stream's destructor aborts on an error that nobody took.
    os.clear_error();
  }
  if (error || !code)
    return error;
  return inputError(path, "cannot be written: " + code.message(),
                    "Check where the output goes.");
}

/// Where a chain of symbolic links leads, which need not exist.
static std::string followLinks(llvm::StringRef path) {
  // As many as Linux follows.
  constexpr unsigned kMaxLinks = 40;
  namespace fs = std::filesystem;
  fs::path at(path.str());
  std::error_code code;
  for (unsigned i = 0; i != kMaxLinks && fs::is_symlink(at, code); ++i) {
    fs::path target = fs::read_symlink(at, code);
    if (code)
      break;
    at = at.parent_path() / target;
  }
  return at.string();
}

static llvm::Error cannotWrite(llvm::StringRef path, const llvm::Twine &why) {
  return inputError(path, "cannot be written: " + why,
                    "Check that its folder exists, that you may write there, "
                    "and that the disk has room.");
}

/// Devices and pipes ("/dev/null") cannot be replaced by a renamed file.
static bool isStream(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  return path == "-" || (!llvm::sys::fs::status(path, status) &&
                         llvm::sys::fs::exists(status) &&
                         !llvm::sys::fs::is_regular_file(status) &&
                         !llvm::sys::fs::is_directory(status));
}

/// A file beside `target`, which is to take the place of `path`.
static llvm::Expected<llvm::sys::fs::TempFile>
createBeside(llvm::StringRef path, const std::string &target) {
  if (llvm::sys::fs::is_directory(path))
    return cannotWrite(path, "it is a directory");
  // Renaming would replace a file that may not be written.
  if (llvm::sys::fs::exists(target) && !llvm::sys::fs::can_write(target))
    return cannotWrite(path, "it is read-only");
  auto temporary = llvm::sys::fs::TempFile::create(target + ".%%%%%%.tmp");
  if (!temporary)
    return cannotWrite(path, llvm::toString(temporary.takeError()));
  return temporary;
}

llvm::Error mlirprof::checkOutput(llvm::StringRef path) {
  if (isStream(path))
    return llvm::Error::success();
  auto temporary = createBeside(path, followLinks(path));
  return temporary ? temporary->discard() : temporary.takeError();
}

llvm::Error mlirprof::writeOutput(
    llvm::StringRef path,
    llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  if (isStream(path))
    return writeStream(path, write);
  // A link stays one: what it points to is replaced.
  std::string target = followLinks(path);
  auto temporary = createBeside(path, target);
  if (!temporary)
    return temporary.takeError();
  // The new file is as private as the old one.
  if (llvm::sys::fs::exists(target))
    if (auto permissions = llvm::sys::fs::getPermissions(target))
      llvm::sys::fs::setPermissions(temporary->FD, *permissions);
  llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
  llvm::Error error = write(os);
  os.flush();
  if (std::error_code code = os.error()) {
    os.clear_error();
    error =
        llvm::joinErrors(std::move(error), cannotWrite(path, code.message()));
  }
  if (error)
    return llvm::joinErrors(std::move(error), temporary->discard());
  if (llvm::Error keep = temporary->keep(target))
    return cannotWrite(path, llvm::toString(std::move(keep)));
  return llvm::Error::success();
}

void mlirprof::zstdCompress(llvm::StringRef bytes,
                            llvm::SmallVectorImpl<char> &out, int level) {
  llvm::SmallVector<uint8_t, 0> compressed;
  llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(bytes),
                                    compressed, level);
  out.append(compressed.begin(), compressed.end());
}

llvm::Error mlirprof::zstdDecompress(llvm::StringRef frame, uint64_t size,
                                     llvm::StringRef where,
                                     llvm::SmallVectorImpl<char> &out) {
  // A zstd frame expands at most by a factor near 2^15 in practice; a claim far
  // beyond that is an attack on memory.
  if (size > (uint64_t(frame.size()) << 17) + (1 << 20))
    return inputError(where, "compressed block claims an impossible size",
                      "The file is damaged; make it again.");
  llvm::SmallVector<uint8_t, 0> inflated;
  if (llvm::Error error = llvm::compression::zstd::decompress(
          llvm::arrayRefFromStringRef(frame), inflated, size)) {
    llvm::consumeError(std::move(error));
    return inputError(where, "broken zstd data",
                      "The file is damaged; make it again.");
  }
  if (inflated.size() != size)
    return inputError(where, "compressed block has another size than it claims",
                      "The file is damaged; make it again.");
  out.append(inflated.begin(), inflated.end());
  return llvm::Error::success();
}

Backing mlirprof::getBacking(const llvm::MemoryBuffer &buffer) {
  return buffer.getBufferKind() == llvm::MemoryBuffer::MemoryBuffer_MMap
             ? Backing::MappedFile
             : Backing::Memory;
}

void ReadPages::release(const char *at) {
  static const uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE));
  // Only pages that lie wholly within what was read.
  uintptr_t first = (uintptr_t(begin) + page - 1) / page * page;
  uintptr_t last = uintptr_t(at) / page * page;
  if (first < last)
    madvise(reinterpret_cast<void *>(first), last - first, MADV_DONTNEED);
  begin = at;
}

static llvm::XXH128_hash_t hashPieces(llvm::StringRef bytes, Backing backing) {
  constexpr size_t kPiece = size_t(4) << 20;
  auto hash = [](llvm::StringRef piece) {
    return llvm::xxh3_128bits(llvm::arrayRefFromStringRef(piece));
  };
  if (bytes.size() <= kPiece)
    return hash(bytes);
  ReadPages pages(bytes.data(), backing);
  std::string hashes;
  while (!bytes.empty()) {
    llvm::XXH128_hash_t piece = hash(bytes.take_front(kPiece));
    for (uint64_t half : {piece.high64, piece.low64})
      for (unsigned byte = 0; byte != 8; ++byte)
        hashes.push_back(char(half >> (8 * byte)));
    bytes = bytes.drop_front(std::min(kPiece, bytes.size()));
    pages.readTo(bytes.data());
  }
  return hash(hashes);
}

std::string mlirprof::contentHash(llvm::StringRef bytes, Backing backing) {
  llvm::XXH128_hash_t hash = hashPieces(bytes, backing);
  return llvm::formatv("{0:x-16}{1:x-16}", hash.high64, hash.low64).str();
}
