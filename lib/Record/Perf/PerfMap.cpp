//===- PerfMap.cpp - Names of ops for perf --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/PerfMap.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::record;
using namespace mlirprof::trace;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The op that owns the time of `node`: for an op in the body of a structured
/// op, that structured op.
static uint32_t getStructuredOp(const Program &program, uint32_t node) {
  for (size_t steps = 0; steps != program.nodes.size(); ++steps) {
    const ProgramNode &at = program.nodes[node];
    if (at.kind != NodeKind::Body || at.container >= program.nodes.size())
      return node;
    node = at.container;
  }
  return node;
}

/// The node of the first level from which `node` came; the first of several.
static uint32_t getInputNode(const Program &program, uint32_t node) {
  for (size_t steps = 0; node < program.nodes.size(); ++steps) {
    const ProgramNode &at = program.nodes[node];
    if (at.level == 0 || at.parents.empty() || steps > program.levels.size())
      return getStructuredOp(program, node);
    node = at.parents.front();
  }
  return kNone;
}

static std::string getOpName(const Program &program, uint32_t node) {
  if (node >= program.nodes.size())
    return {};
  auto text = [&](uint32_t index) -> llvm::StringRef {
    if (index >= program.strings.size())
      return "";
    return program.strings[index];
  };
  const ProgramNode &at = program.nodes[node];
  llvm::StringRef name = text(at.name);
  std::string label = text(at.op).str();
  if (!name.empty())
    label += " " + name.str();
  // perf's maps have one symbol per line.
  std::replace(label.begin(), label.end(), '\n', ' ');
  return label;
}

std::string record::describeAddress(const Program &program, uint64_t offset) {
  const MachineFunction *function = findFunction(program, offset);
  if (!function)
    return "an unknown place";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << function->name << "+0x";
  os.write_hex(offset - function->begin);
  uint32_t instruction = findInstruction(program, offset);
  if (instruction == kNone)
    return text;
  std::string op = getOpName(
      program, getInputNode(program, program.instructions[instruction].node));
  if (!op.empty())
    os << " (" << op << ")";
  return text;
}

std::vector<OpRange> record::getOpRanges(const Program &program) {
  std::vector<OpRange> ranges;
  for (const MachineFunction &function : program.functions) {
    uint32_t owner = kNone;
    ranges.push_back({function.begin, function.end, function.name});
    auto it = llvm::lower_bound(
        program.instructions, function.begin,
        [](const Instruction &i, uint64_t at) { return i.address < at; });
    for (; it != program.instructions.end() && it->address < function.end;
         ++it) {
      uint32_t node = getInputNode(program, it->node);
      if (node == owner)
        continue;
      owner = node;
      std::string op = getOpName(program, node);
      ranges.back().end = it->address;
      ranges.push_back(
          {it->address, function.end,
           op.empty() ? function.name : function.name + ": " + op});
    }
  }
  llvm::erase_if(ranges, [](const OpRange &r) { return r.begin >= r.end; });
  return ranges;
}

//===----------------------------------------------------------------------===//
// /tmp/perf-PID.map
//===----------------------------------------------------------------------===//

/// Creates a file that must not exist yet: its name can be guessed.
static llvm::Expected<int> createFile(const std::string &path, int flags) {
  int descriptor = open(path.c_str(), flags | O_CREAT | O_EXCL | O_CLOEXEC,
                        /*mode=*/0644);
  if (descriptor < 0)
    return inputError(path, std::strerror(errno));
  return descriptor;
}

/// Closes the file written to `path`.
static llvm::Error close(llvm::raw_fd_ostream &os, llvm::StringRef path) {
  os.close();
  if (!os.has_error())
    return llvm::Error::success();
  llvm::Error error = inputError(path, os.error().message());
  os.clear_error();
  return error;
}

static llvm::Error writeMap(const Program &program, uint64_t textBegin) {
  std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  auto descriptor = createFile(path, O_WRONLY);
  if (!descriptor)
    return descriptor.takeError();
  llvm::raw_fd_ostream os(*descriptor, /*shouldClose=*/true);
  for (const OpRange &range : getOpRanges(program)) {
    os.write_hex(textBegin + range.begin) << ' ';
    os.write_hex(range.end - range.begin) << ' ' << range.name << '\n';
  }
  return close(os, path);
}

//===----------------------------------------------------------------------===//
// jit-PID.dump
//===----------------------------------------------------------------------===//
//
// The format is described in Linux's
// tools/perf/Documentation/jitdump-specification.txt.

namespace {
struct DumpHeader {
  uint32_t magic = 0x4A695444;
  uint32_t version = 1;
  uint32_t size = sizeof(DumpHeader);
  uint32_t machine;
  uint32_t padding = 0;
  uint32_t process;
  uint64_t time;
  uint64_t flags = 0;
};
enum DumpRecord : uint32_t { CodeLoad = 0, DebugInfo = 2 };
struct RecordHeader {
  uint32_t kind;
  uint32_t size;
  uint64_t time;
};
struct LoadRecord {
  uint32_t process;
  uint32_t thread;
  uint64_t address;
  uint64_t codeAddress;
  uint64_t codeSize;
  uint64_t codeIndex;
};
struct DebugRecord {
  uint64_t codeAddress;
  uint64_t entries;
};
struct DebugEntry {
  uint64_t address;
  uint32_t line;
  uint32_t discriminator;
};

class DumpWriter {
public:
  DumpWriter(llvm::raw_ostream &os, const Program &program, uint64_t textBegin,
             const uint8_t *code)
      : os(os), program(program), textBegin(textBegin), code(code) {}

  void write() {
    DumpHeader header;
#if defined(__x86_64__)
    header.machine = llvm::ELF::EM_X86_64;
#else
    header.machine = llvm::ELF::EM_AARCH64;
#endif
    header.process = uint32_t(getpid());
    header.time = getTime();
    put(header);
    for (const OpRange &range : getOpRanges(program)) {
      // perf applies lines to the code that follows them.
      writeLines(range);
      writeCode(range);
    }
  }

private:
  template <typename T>
  void put(const T &value) {
    os.write(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void putString(llvm::StringRef text) { os << text << '\0'; }
  static uint64_t getTime() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return uint64_t(now.tv_sec) * 1000000000 + uint64_t(now.tv_nsec);
  }

  void writeLines(const OpRange &range) {
    std::vector<std::pair<DebugEntry, std::string>> entries;
    size_t size = 0;
    auto it = llvm::lower_bound(
        program.instructions, range.begin,
        [](const Instruction &i, uint64_t at) { return i.address < at; });
    for (; it != program.instructions.end() && it->address < range.end; ++it) {
      uint32_t input = getInputNode(program, it->node);
      if (input >= program.nodes.size())
        continue;
      const ProgramNode &node = program.nodes[input];
      std::string file = node.file < program.strings.size()
                             ? program.strings[node.file]
                             : std::string();
      entries.push_back({{textBegin + it->address, node.line, 0}, file});
      size += sizeof(DebugEntry) + file.size() + 1;
    }
    if (entries.empty())
      return;
    put(RecordHeader{
        DebugInfo, uint32_t(sizeof(RecordHeader) + sizeof(DebugRecord) + size),
        getTime()});
    put(DebugRecord{textBegin + range.begin, entries.size()});
    for (const auto &[entry, file] : entries) {
      put(entry);
      putString(file);
    }
  }

  void writeCode(const OpRange &range) {
    uint64_t size = range.end - range.begin;
    put(RecordHeader{CodeLoad,
                     uint32_t(sizeof(RecordHeader) + sizeof(LoadRecord) +
                              range.name.size() + 1 + size),
                     getTime()});
    put(LoadRecord{uint32_t(getpid()), uint32_t(syscall(SYS_gettid)),
                   textBegin + range.begin, textBegin + range.begin, size,
                   index++});
    putString(range.name);
    os.write(reinterpret_cast<const char *>(code) + range.begin, size);
  }

  llvm::raw_ostream &os;
  const Program &program;
  uint64_t textBegin;
  const uint8_t *code;
  uint64_t index = 0;
};
} // namespace

static llvm::Error writeJitDump(llvm::StringRef folder, const Program &program,
                                uint64_t textBegin, const uint8_t *code) {
  llvm::SmallString<128> file(folder);
  llvm::sys::path::append(file, "jit-" + std::to_string(getpid()) + ".dump");
  std::string path = file.str().str();
  auto descriptor = createFile(path, O_RDWR);
  if (!descriptor)
    return descriptor.takeError();
  llvm::raw_fd_ostream os(*descriptor, /*shouldClose=*/true);
  DumpWriter(os, program, textBegin, code).write();
  os.flush();
  // perf finds the file because it is mapped as if it were code. It stays
  // mapped during the life of the process.
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, *descriptor, 0);
  return close(os, path);
}

llvm::Error record::writePerfSupport(PerfSupport kind, llvm::StringRef folder,
                                     const Program &program, uint64_t textBegin,
                                     const uint8_t *code) {
  switch (kind) {
  case PerfSupport::None:
    return llvm::Error::success();
  case PerfSupport::Map:
    return writeMap(program, textBegin);
  case PerfSupport::JitDump:
    return writeJitDump(folder, program, textBegin, code);
  }
  llvm_unreachable("unknown support for perf");
}
