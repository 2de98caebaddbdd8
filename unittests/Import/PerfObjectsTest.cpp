//===- PerfObjectsTest.cpp - Objects of perf's samples --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Import/PerfScript/CallChain.h"
#include "../../lib/Import/PerfScript/ElfFile.h"
#include "../../lib/Import/PerfScript/Symbols.h"
#include "ReadText.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ObjectYAML/yaml2obj.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlirprof::importer::perfscript;
using namespace mlirprof::profile;
using mlirprof::reading::readText;

namespace {

/// A library with the sections and symbols of `yaml`.
std::string makeLibrary(llvm::StringRef yaml) {
  std::string text = ("--- !ELF\nFileHeader:\n  Class: ELFCLASS64\n"
                      "  Data: ELFDATA2LSB\n  Type: ET_DYN\n" +
                      yaml)
                         .str();
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::yaml::Input input(text);
  EXPECT_TRUE(llvm::yaml::convertYAML(input, out, [](const llvm::Twine &what) {
    ADD_FAILURE() << what.str();
  }));
  return bytes;
}

std::optional<ElfFile> open(llvm::StringRef bytes) {
  llvm::SmallString<128> path;
  int file = -1;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("perf", "so", file, path));
  llvm::raw_fd_ostream(file, /*shouldClose=*/true) << bytes;
  std::optional<ElfFile> elf = ElfFile::open(path);
  llvm::sys::fs::remove(path);
  return elf;
}

/// Adds a header that claims `unpacked` bytes, packed by zlib.
void addPacked(std::string &yaml, unsigned index, uint64_t unpacked) {
  yaml += "  - Name: .debug_" + std::to_string(index) +
          "\n    Type: SHT_PROGBITS\n    Flags: [ SHF_COMPRESSED ]\n"
          "    Content: \"0100000000000000";
  for (unsigned i = 0; i != 8; ++i)
    yaml += llvm::utohexstr((unpacked >> (8 * i)) & 0xFF, /*LowerCase=*/true,
                            /*Width=*/2);
  yaml += "0100000000000000\"\n";
}

TEST(PerfObjects, PackedSectionsAreBoundedInSum) {
  constexpr uint64_t kGiB = uint64_t(1) << 30;
  std::string few = "Sections:\n", many = few, overflowing = few;
  addPacked(few, 0, kGiB);
  for (unsigned i = 0; i != 64; ++i)
    addPacked(many, i, kGiB);
  addPacked(overflowing, 0, 2);
  addPacked(overflowing, 1, ~uint64_t(0));
  EXPECT_TRUE(open(makeLibrary(few)));
  EXPECT_FALSE(open(makeLibrary(many)));
  EXPECT_FALSE(open(makeLibrary(overflowing)));
}

/// Code at 0x1000 of a processor, in a separate segment.
std::optional<ElfFile> openCode(llvm::StringRef machine, llvm::StringRef hex) {
  return open(makeLibrary(
      ("  Machine: " + machine +
       "\nProgramHeaders:\n  - Type: PT_LOAD\n    VAddr: 0x1000\n"
       "    FirstSec: .text\n    LastSec: .text\n"
       "Sections:\n  - Name: .text\n    Type: SHT_PROGBITS\n"
       "    Flags: [ SHF_ALLOC, SHF_EXECINSTR ]\n    Address: 0x1000\n"
       "    AddressAlign: 16\n    Content: \"" +
       hex + "\"\n")
          .str()));
}

TEST(PerfObjects, AddressesBehindCalls) {
  // nop; call rel32; nop; call *%rax; call *8(%rbx); ret
  auto x86 = openCode("EM_X86_64", "90e80000000090ffd0ff5308c3");
  ASSERT_TRUE(x86);
  std::vector<uint64_t> behind;
  for (uint64_t address = 0; address != 0x1020; ++address)
    if (x86->isBehindCall(address))
      behind.push_back(address - 0x1000);
  EXPECT_EQ(behind, std::vector<uint64_t>({6, 9, 12}));
  // nop; bl; nop; blr x8; nop; blraaz x8; ret
  auto arm = openCode("EM_AARCH64", "1f2003d5000000941f2003d500013fd61f2003d5"
                                    "1f093fd6c0035fd6");
  ASSERT_TRUE(arm);
  behind.clear();
  for (uint64_t address = 0x0ffc; address != 0x1030; ++address)
    if (arm->isBehindCall(address))
      behind.push_back(address - 0x1000);
  EXPECT_EQ(behind, std::vector<uint64_t>({8, 16, 24}));
  EXPECT_FALSE(openCode("EM_RISCV", "e800000000")->isBehindCall(0x1005));
}

/// The meaning of the addresses of these frames, innermost first: i, r, or ? if
/// unsure.
std::string takeChain(llvm::ArrayRef<llvm::StringRef> lines) {
  CallChain chain;
  chain.begin();
  std::string uses;
  for (llvm::StringRef line : lines) {
    Frame frame;
    EXPECT_TRUE(parseFrame(line, frame)) << line.str();
    uses += "ir?"[size_t(chain.take(frame))];
  }
  return uses;
}

TEST(PerfCallChain, UsesOfAddresses) {
  EXPECT_EQ(takeChain({"10 f (/a)", "20 g (/a)", "20 h (/a)"}), "irr");
  llvm::StringRef fault = "ffffffff81000c82 asm_exc_page_fault ([kernel])";
  llvm::StringRef entry = "ffffffff81000130 entry_SYSCALL_64 ([kernel])";
  EXPECT_EQ(takeChain({fault, "20 g (/a)", "30 h (/a)"}), "iir");
  EXPECT_EQ(takeChain({fault, entry, "20 g (/a)"})[2], 'r');
  EXPECT_EQ(takeChain({"10 f (/a)", "20 __restore_rt (/libc.so)", "30 g (/a)",
                       "40 h (/a)"}),
            "ir?r");
  // An inlined frame has the address of the frame after it.
  EXPECT_EQ(takeChain({fault, "20 g (inlined)", "20 h (/a)", "30 i (/a)"}),
            "iiir");
  // User code in the upper half of addresses.
  EXPECT_EQ(takeChain({"ffffffffff600400 vtime ([vsyscall])", "20 g (/a)"}),
            "ir");
  // A program's address may contain authentication bits.
  EXPECT_EQ(takeChain({"8000000000000010 f (/a)", "20 g (/a)"}), "ir");
}

std::string addFunction(llvm::StringRef name, uint64_t address, uint64_t size) {
  return ("  - Name: " + name + "\n    Type: STT_FUNC\n    Section: .text\n" +
          "    Value: " + llvm::Twine(address) +
          "\n    Size: " + llvm::Twine(size) + "\n")
      .str();
}

class PerfSymbols : public testing::Test {
protected:
  /// `functions`: addFunction()s.
  void read(const std::string &functions) {
    elf =
        open(makeLibrary("Sections:\n  - Name: .text\n    Type: SHT_PROGBITS\n"
                         "    Flags: [ SHF_ALLOC, SHF_EXECINSTR ]\n"
                         "Symbols:\n" +
                         functions));
    ASSERT_TRUE(elf);
    symbols.add(elf->file->symbols());
  }

  std::vector<uint64_t> findPrinted(llvm::StringRef name) {
    std::vector<uint64_t> addresses;
    for (const Symbols::Function &function : symbols.findPrinted(name))
      addresses.push_back(function.address);
    llvm::sort(addresses);
    return addresses;
  }

  std::optional<ElfFile> elf;
  Symbols symbols;
};

using Addresses = std::vector<uint64_t>;

TEST_F(PerfSymbols, FunctionsOfOneNameHaveTheirOwnSizes) {
  read(addFunction("step (1)", 0x1000, 16) +
       addFunction("step (2)", 0x2000, 4096));
  EXPECT_EQ(symbols.getNameAt(0x1000), "step");
  EXPECT_EQ(symbols.getNameAt(0x100f), "step");
  EXPECT_EQ(symbols.getNameAt(0x1010), "");
  EXPECT_EQ(symbols.getNameAt(0x2100), "step");
  EXPECT_EQ(symbols.getNameAt(0x3000), "");
  EXPECT_EQ(symbols.find("step").size(), 2u);
  EXPECT_EQ(findPrinted("step"), Addresses({0x1000, 0x2000}));
}

TEST_F(PerfSymbols, FunctionInTwoTablesIsOne) {
  read(addFunction("step", 0x1000, 16));
  symbols.add(elf->file->symbols());
  EXPECT_EQ(findPrinted("step"), Addresses({0x1000}));
  EXPECT_TRUE(symbols.find("walk").empty());
  EXPECT_EQ(findPrinted("walk"), Addresses());
}

TEST_F(PerfSymbols, PartsOfFunctionsArePrintedAsTheFunction) {
  read(addFunction("_Z1fi", 0x1000, 16) + addFunction("_Z1fi.cold", 0x2000, 8) +
       addFunction("_Z1fd", 0x3000, 16));
  EXPECT_EQ(findPrinted("f"), Addresses({0x1000, 0x2000, 0x3000}));
  EXPECT_EQ(findPrinted("f(int)"), Addresses({0x1000}));
  EXPECT_EQ(findPrinted("f(int) [clone .cold]"), Addresses({0x2000}));
  EXPECT_EQ(findPrinted("_Z1fi.cold"), Addresses({0x2000}));
}

TEST_F(PerfSymbols, ManyOfOneName) {
  std::string functions;
  for (unsigned i = 0; i != 1000; ++i)
    functions += addFunction("step (" + std::to_string(i) + ")",
                             0x1000 + 16 * uint64_t(i), 16);
  read(functions);
  EXPECT_EQ(symbols.findPrinted("step").size(), Symbols::kMostAlike);
}

/// A kernel that main calls for two dispatches, from 0x8 and 0x10.
Program makeCallingProgram() {
  Program program;
  program.levels = {"linalg", "dispatch"};
  program.strings = {""};
  program.nodes.resize(6);
  for (uint32_t node : {2, 3, 4, 5})
    program.nodes[node].level = 1;
  program.nodes[2].kind = NodeKind::Function;
  program.nodes[3].container = 2;
  program.nodes[3].parents = {0, 1};
  program.instances = {{4, 2, {{3, 0}}}, {5, 2, {{3, 1}}}};
  program.functions = {{"kernel", 0, 8}, {"main", 8, 24}};
  program.instructions = {{0, 3}, {4, 3}, {8, 4}, {12, 4}, {16, 5}, {20, 5}};
  program.calls = {{12, 0}, {20, 1}};
  program.fingerprint = fingerprintProgram(program);
  return program;
}

/// Its library, with the program, and the functions at 0x1000.
std::string makeCallingLibrary() {
  std::string section = writeProgramSection(makeCallingProgram());
  return makeLibrary(
      "ProgramHeaders:\n  - Type: PT_LOAD\n    VAddr: 0x1000\n"
      "    FirstSec: .text\n    LastSec: .text\n"
      "Sections:\n  - Name: .text\n    Type: SHT_PROGBITS\n"
      "    Flags: [ SHF_ALLOC, SHF_EXECINSTR ]\n    Address: 0x1000\n"
      "    AddressAlign: 16\n    Size: 24\n"
      "  - Name: .mlirprof.program\n    Type: SHT_PROGBITS\n"
      "    Content: \"" +
      llvm::toHex(section) + "\"\nSymbols:\n" +
      addFunction("kernel", 0x1000, 8) + addFunction("main", 0x1008, 16));
}

TEST(PerfInstances, CallChainsTellTheDispatch) {
  llvm::SmallString<128> path;
  int file = -1;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("perf", "so", file, path));
  llvm::raw_fd_ostream(file, /*shouldClose=*/true) << makeCallingLibrary();
  std::string in = " (" + path.str().str() + ")\n";
  std::string head = "model 77 1.000001:  1000 cpu-clock: \n";
  std::string outside = "\t7f0000005000 start+0x10 (/gone/libc.so.6)\n";
  // The first dispatch; the second, through a library; the first call again,
  // which came back before the second; and without a call chain.
  std::string text =
      head + "\t7f0000001000 kernel+0x0" + in + "\t7f000000100c main+0x4" + in +
      outside + "\n" + head + "\t7f0000009000 expf+0x10 (/gone/libm.so.6)\n" +
      "\t7f0000001004 kernel+0x4" + in + "\t7f0000001014 main+0xc" + in +
      outside + "\n" + head + "\t7f0000001000 kernel+0x0" + in +
      "\t7f0000001010 main+0x8" + in + "\n" + head +
      "\t7f0000001000 kernel+0x0" + in + "\n";
  llvm::Expected<Profile> profile = readText("perf-script", text);
  llvm::sys::fs::remove(path);
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  std::vector<std::string> seen;
  for (const OpSummary &op : profile->runs[0].ops)
    seen.push_back(getKeyLabel(profile->opKeys[op.op]) + " " +
                   std::to_string(op.getSum(Quantity::Samples)));
  llvm::sort(seen);
  EXPECT_EQ(seen, (std::vector<std::string>{
                      "kernel+0x0 2", "kernel+0x0 in dispatch 0 1",
                      "kernel+0x0:expf in dispatch 1 1"}));
  EXPECT_TRUE(llvm::is_contained(
      profile->runs[0].facts,
      std::make_pair(std::string("samples whose call chain tells the dispatch"),
                     std::string("2 of 4"))));
}

} // namespace
