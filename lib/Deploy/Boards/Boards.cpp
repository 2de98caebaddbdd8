//===- Boards.cpp - Machines of QEMU --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Deploy/Image.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

//===----------------------------------------------------------------------===//
// Cortex-M
//===----------------------------------------------------------------------===//

/// Access to the floating-point unit is off after a reset. The program ends by
/// semihosting's SYS_EXIT, with ADP_Stopped_ApplicationExit or, after a fault,
/// ADP_Stopped_RunTimeErrorUnknown.
static constexpr StringLiteral kCortexStart = R"(.syntax unified
.thumb
.section .vectors,"a",%progbits
.word image_stack_top
.word image_start
.rept 13
.word image_fault
.endr
.weak prof_counter_systick_wrap
.word prof_counter_systick_wrap
.section .text.image_start,"ax",%progbits
.globl image_start
.type image_start,%function
image_start:
ldr r0, =0xE000ED88
ldr r1, [r0]
orr r1, r1, #0xF00000
str r1, [r0]
dsb
isb
bl image_main
ldr r1, =0x20026
b image_end
.type image_fault,%function
image_fault:
ldr r1, =0x20023
image_end:
movs r0, #0x18
bkpt 0xab
b image_end
.ltorg)";

/// The boards differ in where memories lie: code, data and the stack's end.
#define MLIRPROF_CORTEX_SCRIPT(CODE, DATA, STACK)                              \
  "ENTRY(image_start)\n"                                                       \
  "MEMORY { CODE (rx) : ORIGIN = " CODE ", LENGTH = 4M\n"                      \
  "  DATA (rw) : ORIGIN = " DATA ", LENGTH = 16M }\n"                          \
  "SECTIONS {\n"                                                               \
  "  .text : { KEEP(*(.vectors)) *(.text*) } > CODE\n"                         \
  "  .rodata : { *(.rodata*) } > DATA\n"                                       \
  "  .data : { *(.data*) } > DATA\n"                                           \
  "  .bss (NOLOAD) : { *(.bss*) *(COMMON) } > DATA\n"                          \
  "  image_stack_top = " STACK ";\n"                                           \
  "  /DISCARD/ : { *(.ARM.exidx*) *(.comment) }\n"                             \
  "}\n"

#define MLIRPROF_CORTEX_EMULATOR(BOARD)                                        \
  "qemu-system-arm -M " BOARD " -nographic -monitor none -serial none "        \
  "-semihosting-config enable=on,target=native -kernel"

//===----------------------------------------------------------------------===//
// RISC-V without a system
//===----------------------------------------------------------------------===//

/// Ends by the board's register for tests.
static constexpr StringLiteral kRiscvStart =
    R"(.section .text.image_start,"ax",@progbits
.globl image_start
.type image_start,@function
image_start:
la sp, image_stack_top
la t0, image_fault
csrw mtvec, t0
li t0, 0x6600
csrs mstatus, t0
call image_main
li t1, 0x5555
j image_end
.balign 4
image_fault:
li t1, 0x13333
image_end:
li t0, 0x100000
sw t1, 0(t0)
j image_end)";

static constexpr StringLiteral kRiscvScript = R"(ENTRY(image_start)
MEMORY { RAM (rwx) : ORIGIN = 0x80000000, LENGTH = 64M }
SECTIONS {
  .text : { KEEP(*(.text.image_start)) *(.text*) } > RAM
  .rodata : { *(.rodata*) *(.srodata*) } > RAM
  .data : { *(.data*) *(.sdata*) } > RAM
  .bss (NOLOAD) : { *(.sbss*) *(.bss*) *(COMMON) } > RAM
  image_stack_top = ORIGIN(RAM) + LENGTH(RAM);
}
)";

#define MLIRPROF_RISCV_EMULATOR(BITS)                                          \
  "qemu-system-riscv" BITS                                                     \
  " -M virt -bios none -nographic -monitor none -serial none -kernel"

//===----------------------------------------------------------------------===//
// Linux
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kX86LinuxStart = R"(.globl image_start
.type image_start,@function
image_start:
callq image_main
xorl %edi, %edi
movl $60, %eax
syscall)";

static constexpr StringLiteral kArmLinuxStart = R"(.globl image_start
.type image_start,@function
image_start:
bl image_main
mov x0, #0
mov x8, #93
svc #0)";

static constexpr StringLiteral kRiscvLinuxStart = R"(.globl image_start
.type image_start,@function
image_start:
call image_main
li a0, 0
li a7, 93
ecall)";

static const Board kBoards[] = {
    {"thumbv7em-none", "cortex-m4", MLIRPROF_CORTEX_EMULATOR("mps2-an386"), "",
     kCortexStart, MLIRPROF_CORTEX_SCRIPT("0", "0x21000000", "0x20400000"),
     0x40004000, 25000000},
    {"thumbv7em-none", "cortex-m7", MLIRPROF_CORTEX_EMULATOR("mps2-an500"), "",
     kCortexStart, MLIRPROF_CORTEX_SCRIPT("0", "0x60000000", "0x20400000"),
     0x40004000, 25000000},
    {"thumbv8m.main-none", "cortex-m33", MLIRPROF_CORTEX_EMULATOR("mps2-an505"),
     "", kCortexStart,
     MLIRPROF_CORTEX_SCRIPT("0x10000000", "0x80000000", "0x38400000"),
     0x50200000, 20000000},
    {"riscv32-unknown-elf", "", MLIRPROF_RISCV_EMULATOR("32"),
     "-cpu rv32,v=true,vlen=128", kRiscvStart, kRiscvScript, 0x10000000},
    {"riscv64-unknown-elf", "", MLIRPROF_RISCV_EMULATOR("64"),
     "-cpu rv64,v=true,vlen=128", kRiscvStart, kRiscvScript, 0x10000000},
    {"aarch64-unknown-linux", "", "qemu-aarch64", "", kArmLinuxStart, ""},
    {"riscv64-unknown-linux", "", "qemu-riscv64", "-cpu rv64,v=true,vlen=128",
     kRiscvLinuxStart, ""},
    {"x86_64-unknown-linux", "", "qemu-x86_64 -cpu max", "", kX86LinuxStart,
     ""}};

const Board *deploy::findBoard(const codegen::TargetModel &target) {
  for (const Board &board : kBoards)
    if (StringRef(target.triple).starts_with(board.triple) &&
        (board.cpu.empty() || board.cpu == target.cpu))
      return &board;
  return nullptr;
}

Expected<const Board *> deploy::getBoard(const codegen::TargetModel &target) {
  if (const Board *board = findBoard(target))
    return board;
  std::string known;
  for (const Board &board : kBoards)
    known += (known.empty() ? "" : ", ") +
             (board.cpu.empty() ? board.triple : board.cpu).str();
  return usageError("--on=qemu does not have a board for " + target.cpu +
                    " of " + target.triple + "; it has boards for " + known);
}

std::vector<std::string>
deploy::getEmulator(const Board &board, const codegen::TargetModel &target) {
  SmallVector<StringRef> words, vectors;
  board.emulator.split(words, ' ');
  if (codegen::hasFeature(target, "v"))
    board.vectors.split(vectors, ' ', -1, /*KeepEmpty=*/false);
  std::vector<std::string> command = {words.front().str()};
  for (StringRef word : concat<const StringRef>(vectors, drop_begin(words)))
    command.push_back(word.str());
  return command;
}
