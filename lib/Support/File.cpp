//===- File.cpp - Reading and writing whole files -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/File.h"
#include "MappedRanges.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/GzipInput.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlirprof;

void mlirprof::openStandardStreams() {
  // open() uses the lowest free descriptor, thus the missing one.
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", descriptor == STDOUT_FILENO  ? O_RDONLY
                        : descriptor == STDIN_FILENO ? O_WRONLY
                                                     : O_RDWR);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// A file, with the status needed to detect changes.
class InputBuffer : public llvm::MemoryBuffer {
public:
  /// `status` is that of the file before `content` was read.
  InputBuffer(std::unique_ptr<llvm::MemoryBuffer> taken,
              const struct stat &status)
      : content(std::move(taken)), status(status) {
    init(content->getBufferStart(), content->getBufferEnd(),
         /*RequiresNullTerminator=*/false);
    if (getBufferKind() == MemoryBuffer_MMap)
      range.emplace(getBuffer());
  }
  llvm::StringRef getBufferIdentifier() const override {
    return content->getBufferIdentifier();
  }
  BufferKind getBufferKind() const override { return content->getBufferKind(); }
  /// Whether all of it can be read whatever happens to the file.
  bool isSafe() const { return !range || range->isGuarded(); }
  bool hasChanged() const {
    struct stat now;
    if (range && range->isBroken())
      return true;
    // A renamed or removed file is still mapped.
    return stat(getBufferIdentifier().str().c_str(), &now) == 0 &&
           now.st_dev == status.st_dev && now.st_ino == status.st_ino &&
           (now.st_size != status.st_size ||
            now.st_mtim.tv_sec != status.st_mtim.tv_sec ||
            now.st_mtim.tv_nsec != status.st_mtim.tv_nsec);
  }

private:
  std::unique_ptr<llvm::MemoryBuffer> content;
  struct stat status;
  /// Destroyed before the mapping.
  std::optional<MappedRange> range;
};
} // namespace

/// The file `path`; LLVM reads anything but regular files.
static llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path) {
  struct stat status;
  if (path == "-" || stat(path.str().c_str(), &status) != 0 ||
      !S_ISREG(status.st_mode))
    return llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
  for (bool isVolatile : {false, true}) {
    auto buffer = llvm::MemoryBuffer::getFile(
        path, /*IsText=*/false, /*RequiresNullTerminator=*/false, isVolatile);
    if (!buffer)
      return buffer;
    auto input = std::make_unique<InputBuffer>(std::move(*buffer), status);
    // A volatile file is read into memory.
    if (input->isSafe() || isVolatile)
      return std::unique_ptr<llvm::MemoryBuffer>(std::move(input));
  }
  llvm_unreachable("the second round returns");
}

llvm::Error mlirprof::checkUnchanged(const llvm::MemoryBuffer &input) {
  const auto *file = dynamic_cast<const InputBuffer *>(&input);
  if (!file || !file->hasChanged())
    return llvm::Error::success();
  return inputError(input.getBufferIdentifier(), "changed while it was read",
                    "Wait until the program that writes it has ended, and try "
                    "again.");
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
mlirprof::openInput(llvm::StringRef path) {
  if (path != "-" && llvm::sys::fs::is_directory(path))
    return inputError(path, "is a folder", "Name a file in it.");
  // Some files never end ("/dev/zero"), but memory does.
  llvm::sys::fs::file_status status;
  if (path != "-" && !llvm::sys::fs::status(path, status) &&
      status.type() == llvm::sys::fs::file_type::character_file)
    return inputError(path, "is a device, not a file",
                      "Pipe it in and name it -, if you mean to read it.");
  auto buffer = readFile(path);
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
  return unlessChanged(**buffer,
                       gunzip((*buffer)->getBuffer(), path,
                              getInflationLimit((*buffer)->getBufferSize())));
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

char ClosedPipeError::ID = 0;

void ClosedPipeError::log(llvm::raw_ostream &os) const {
  os << "standard output was closed by its reader";
}

std::error_code ClosedPipeError::convertToErrorCode() const {
  return std::make_error_code(std::errc::broken_pipe);
}

/// Writes to a target that cannot be replaced by a renamed file.
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
    // The stream's destructor aborts on an unhandled error.
    os.clear_error();
  }
  if (error || !code)
    return error;
  if (path == "-" && code == std::errc::broken_pipe)
    return llvm::make_error<ClosedPipeError>();
  return inputError(path == "-" ? "standard output" : path,
                    "cannot be written: " + code.message(),
                    "Check the target of the output.");
}

std::string mlirprof::followLinks(llvm::StringRef path) {
  // The limit of Linux.
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

namespace {
/// A file that will replace another one.
class NewFile {
public:
  static llvm::Expected<NewFile> create(const std::string &target);
  NewFile(NewFile &&other)
      : descriptor(other.descriptor), named(std::move(other.named)) {
    other.descriptor = -1;
  }
  NewFile &operator=(NewFile &&) = delete;
  ~NewFile() {
    if (!named && descriptor >= 0)
      close(descriptor);
  }

  int get() const { return named ? named->FD : descriptor; }
  /// Gives it the name `target`, and closes it.
  llvm::Error keep(const std::string &target);
  llvm::Error discard() {
    return named ? named->discard() : llvm::Error::success();
  }

private:
  explicit NewFile(int descriptor) : descriptor(descriptor) {}

  /// A nameless file, which disappears with the process in any case.
  int descriptor;
  /// Used if the file system does not support nameless files.
  std::optional<llvm::sys::fs::TempFile> named;
};
} // namespace

static constexpr const char *kBeside = ".%%%%%%.tmp";

llvm::Expected<NewFile> NewFile::create(const std::string &target) {
  std::string folder = llvm::sys::path::parent_path(target).str();
  int descriptor = open(folder.empty() ? "." : folder.c_str(),
                        O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  // It gets its name through /proc.
  std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  NewFile file(descriptor);
  if (descriptor >= 0 && access(link.c_str(), F_OK) == 0)
    return std::move(file);
  auto named = llvm::sys::fs::TempFile::create(target + kBeside);
  if (!named)
    return named.takeError();
  if (descriptor >= 0)
    close(descriptor);
  file.descriptor = -1;
  file.named.emplace(std::move(*named));
  return std::move(file);
}

llvm::Error NewFile::keep(const std::string &target) {
  if (named)
    return named->keep(target);
  std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  auto giveName = [&](const char *name) {
    return linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
  };
  bool isKept = giveName(target.c_str()) == 0;
  // An existing name can only be replaced by renaming another file.
  for (unsigned i = 0; i != 100 && !isKept && errno == EEXIST; ++i) {
    llvm::SmallString<128> beside;
    llvm::sys::fs::createUniquePath(target + kBeside, beside,
                                    /*MakeAbsolute=*/false);
    if (giveName(beside.c_str()) != 0)
      continue;
    isKept = rename(beside.c_str(), target.c_str()) == 0;
    int error = errno;
    if (!isKept)
      unlink(beside.c_str());
    errno = error == EEXIST ? EIO : error;
  }
  if (!isKept)
    return llvm::errorCodeToError(
        std::error_code(errno, std::generic_category()));
  return llvm::Error::success();
}

/// Creates a file next to `target` that will replace `path`.
static llvm::Expected<NewFile> createBeside(llvm::StringRef path,
                                            const std::string &target) {
  if (llvm::sys::fs::is_directory(path))
    return inputError(path, "cannot be written: it is a folder",
                      "Name a file in it.");
  // Renaming would replace a file without write permission.
  if (llvm::sys::fs::exists(target) && !llvm::sys::fs::can_write(target))
    return inputError(path, "cannot be written: it is read-only",
                      "Make it writable, or name another file.");
  auto temporary = NewFile::create(target);
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
  // A link is kept: its target is replaced.
  std::string target = followLinks(path);
  auto temporary = createBeside(path, target);
  if (!temporary)
    return temporary.takeError();
  // The new file is as private as the old one.
  if (llvm::sys::fs::exists(target))
    if (auto permissions = llvm::sys::fs::getPermissions(target))
      llvm::sys::fs::setPermissions(temporary->get(), *permissions);
  llvm::raw_fd_ostream os(temporary->get(), /*shouldClose=*/false);
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

//===----------------------------------------------------------------------===//
// Compression
//===----------------------------------------------------------------------===//

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
  // beyond that would exhaust memory.
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
    return inputError(where,
                      "compressed block does not have the size that it claims",
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
  releaseWithin(llvm::StringRef(begin, size_t(at - begin)));
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
