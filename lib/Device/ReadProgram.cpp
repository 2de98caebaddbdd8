//===- ReadProgram.cpp - Reading programs of devices ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFormat.h"
#include "mlir-prof/Device/ProgramFile.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace mlirprof;
using namespace mlirprof::device;
using namespace mlirprof::device::format;

namespace {

/// Reads numbers off the front of some bytes. After a failure everything is 0
/// or empty.
class Cursor {
public:
  explicit Cursor(llvm::StringRef bytes) : rest(bytes) {}

  template <typename T>
  T get() {
    if (rest.size() < sizeof(T)) {
      fail();
      return 0;
    }
    T value =
        llvm::support::endian::read<T, llvm::endianness::little>(rest.data());
    rest = rest.drop_front(sizeof(T));
    return value;
  }
  llvm::StringRef getText() {
    auto size = get<uint64_t>();
    if (size > rest.size()) {
      fail();
      return "";
    }
    llvm::StringRef text = rest.take_front(size);
    rest = rest.drop_front(size);
    return text;
  }
  /// The number of elements of a list, each of which takes at least `least`
  /// bytes.
  uint64_t getCount(uint64_t least) {
    auto count = get<uint64_t>();
    if (count <= rest.size() / least)
      return count;
    fail();
    return 0;
  }
  template <size_t N>
  void get(std::array<uint32_t, N> &values) {
    for (uint32_t &value : values)
      value = get<uint32_t>();
  }
  void get(std::vector<int64_t> &values) {
    values.resize(getCount(sizeof(int64_t)));
    for (int64_t &value : values)
      value = get<int64_t>();
  }
  void get(Binding &binding);
  void get(Launch &launch);
  void get(Array &array);

  bool hasFailed() const { return failed; }
  /// Whether everything was read.
  bool isComplete() const { return !failed && rest.empty(); }

private:
  void fail() {
    failed = true;
    rest = "";
  }

  llvm::StringRef rest;
  bool failed = false;
};

/// One section after the other.
class ProgramReader {
public:
  ProgramReader(llvm::StringRef bytes, llvm::StringRef where)
      : bytes(bytes), where(where) {}

  llvm::Expected<Program> run();

private:
  llvm::Error readBegin();
  llvm::Error readSection();
  llvm::Error readContent(uint32_t tag, llvm::StringRef content);
  void readKernels(Cursor &cursor);
  void readSteps(Cursor &cursor);
  static void readArrays(Cursor &cursor, std::vector<Array> &arrays);
  llvm::Error fail(const llvm::Twine &what) const;

  llvm::StringRef bytes;
  llvm::StringRef where;
  uint64_t at = 0;
  bool isLast = false;
  Program program;
  std::vector<llvm::StringRef> assemblies;
  /// The bytes that kernels may still copy of them.
  uint64_t assemblyBytes = uint64_t(1) << 30;
};

} // namespace

/// Bytes of a binding in a file.
static constexpr uint64_t kBindingBytes = 21;

void Cursor::get(Binding &binding) {
  binding.place = Binding::Place(get<uint8_t>());
  binding.index = get<uint32_t>();
  binding.offset = get<uint64_t>();
  binding.bytes = get<uint64_t>();
}

void Cursor::get(Launch &launch) {
  launch.kernel = get<uint32_t>();
  launch.instance = get<uint32_t>();
  get(launch.grid);
  launch.bindings.resize(getCount(kBindingBytes));
  for (Binding &binding : launch.bindings)
    get(binding);
  get(launch.parameters);
}

void Cursor::get(Array &array) {
  array.name = getText().str();
  array.elementType = getText().str();
  get(array.shape);
  array.bytes = get<uint64_t>();
}

llvm::Error ProgramReader::fail(const llvm::Twine &what) const {
  return inputError(where + ": byte " + llvm::Twine(at), what,
                    "Compile the model again.");
}

llvm::Error ProgramReader::readBegin() {
  if (!isProgramFile(bytes))
    return inputError(where, "is not a program for a device",
                      "'mlir-prof compile --device=cuda' writes one.");
  if (bytes.size() < kUnit)
    return fail("the file ends early");
  Cursor cursor(bytes.slice(kMagic.size(), kUnit));
  auto major = cursor.get<uint16_t>();
  if (major != kMajor)
    return inputError(where,
                      "has version " + llvm::Twine(major) +
                          " of the format, and this program reads version " +
                          llvm::Twine(kMajor),
                      "Compile the model by the version of mlir-prof that "
                      "runs it.");
  at = kUnit;
  return llvm::Error::success();
}

llvm::Error ProgramReader::readSection() {
  if (bytes.size() - at < kUnit)
    return fail("the file ends early");
  Cursor header(bytes.substr(at, kUnit));
  auto tag = header.get<uint32_t>();
  auto checksum = header.get<uint32_t>();
  auto length = header.get<uint64_t>();
  if (length > bytes.size() - at - kUnit)
    return fail("the section ends after the file");
  llvm::StringRef content = bytes.substr(at + kUnit, length);
  if (llvm::crc32(llvm::arrayRefFromStringRef(content)) != checksum)
    return fail("the content of the section is damaged");
  if (llvm::Error error = readContent(tag, content))
    return error;
  // A section without its padding is the last of a file that ends early.
  at = std::min<uint64_t>(at + kUnit + llvm::alignTo(length, kUnit),
                          bytes.size());
  return llvm::Error::success();
}

void ProgramReader::readKernels(Cursor &cursor) {
  // The length of the name, and six numbers.
  constexpr uint64_t kLeast = 8 + 6 * 4;
  program.kernels.resize(cursor.getCount(kLeast));
  for (Kernel &kernel : program.kernels) {
    kernel.name = cursor.getText().str();
    auto assembly = cursor.get<uint32_t>();
    // Each kernel has a copy.
    if (assembly < assemblies.size() &&
        assemblies[assembly].size() <= assemblyBytes) {
      assemblyBytes -= assemblies[assembly].size();
      kernel.assembly = assemblies[assembly].str();
    }
    cursor.get(kernel.block);
    kernel.sharedBytes = cursor.get<uint32_t>();
    kernel.node = cursor.get<uint32_t>();
  }
}

void ProgramReader::readSteps(Cursor &cursor) {
  // A launch without bindings and parameters.
  constexpr uint64_t kLeast = 1 + 4 + 4 + 12 + 8 + 8;
  for (uint64_t i = 0, e = cursor.getCount(kLeast); i != e; ++i) {
    if (StepKind(cursor.get<uint8_t>()) == StepKind::Launch) {
      cursor.get(std::get<Launch>(program.steps.emplace_back(Launch())));
      continue;
    }
    auto &copy = std::get<Copy>(program.steps.emplace_back(Copy()));
    cursor.get(copy.from);
    cursor.get(copy.to);
  }
}

void ProgramReader::readArrays(Cursor &cursor, std::vector<Array> &arrays) {
  // Three lengths, and the bytes.
  constexpr uint64_t kLeast = 4 * 8;
  arrays.resize(cursor.getCount(kLeast));
  for (Array &array : arrays)
    cursor.get(array);
}

llvm::Error ProgramReader::readContent(uint32_t tag, llvm::StringRef content) {
  Cursor cursor(content);
  switch (tag) {
  case kMain:
    program.target = cursor.getText().str();
    program.arenaBytes = cursor.get<uint64_t>();
    program.probeBytes = cursor.get<uint64_t>();
    break;
  case kAssembly:
    assemblies.push_back(content);
    return llvm::Error::success();
  case kKernels:
    readKernels(cursor);
    break;
  case kSteps:
    readSteps(cursor);
    break;
  case kArguments:
    readArrays(cursor, program.arguments);
    break;
  case kResults:
    readArrays(cursor, program.results);
    break;
  case kConstant:
    program.constants.push_back(llvm::ArrayRef(content.data(), content.size()));
    return llvm::Error::success();
  case kProfile:
    program.profile = llvm::ArrayRef(content.data(), content.size());
    return llvm::Error::success();
  case kLast:
    isLast = true;
    return llvm::Error::success();
  default:
    return llvm::Error::success();
  }
  // A newer minor version may have more fields at the end.
  if (cursor.hasFailed())
    return fail("a number in the section contradicts its length");
  return llvm::Error::success();
}

llvm::Expected<Program> ProgramReader::run() {
  if (llvm::Error error = readBegin())
    return std::move(error);
  while (!isLast)
    if (llvm::Error error = readSection())
      return std::move(error);
  if (llvm::Error error = checkProgram(program, where))
    return std::move(error);
  return std::move(program);
}

bool device::isProgramFile(llvm::StringRef bytes) {
  return bytes.starts_with(kMagic);
}

llvm::Expected<Program>
device::readProgram(std::shared_ptr<llvm::MemoryBuffer> buffer) {
  auto program =
      ProgramReader(buffer->getBuffer(), buffer->getBufferIdentifier()).run();
  if (program)
    program->storage = std::move(buffer);
  return program;
}
