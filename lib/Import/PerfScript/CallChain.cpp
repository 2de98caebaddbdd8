//===- CallChain.cpp - Meaning of the addresses of a chain ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallChain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using llvm::StringRef;

static bool isInKernel(const Frame &frame) {
  StringRef object = frame.object;
  if (object.starts_with("[kernel") || object.starts_with("[guest.kernel"))
    return true;
  if (llvm::sys::path::is_absolute(object)) {
    StringRef file = llvm::sys::path::filename(object);
    return file.starts_with("vmlinux") || file.ends_with(".ko") ||
           file.contains(".ko.");
  }
  // Modules are "[name]", and programs of BPF have their own names. Linux gives
  // the kernel the upper half of 64-bit addresses, except for a page of old
  // system calls.
  return frame.address >> 63 && object != "[vsyscall]";
}

/// Whether a function of the kernel runs only in system calls. Their entries
/// have such names on every architecture ("entry_SYSCALL_64", "do_syscall_64",
/// "invoke_syscall", "system_call_exception"), or these ones.
static bool isOfSystemCall(StringRef symbol) {
  static constexpr StringRef kBegins[] = {
      "el0_svc",     "do_el0_svc",    "do_trap_ecall", "vector_swi",
      "__x64_sys_",  "__ia32_sys_",   "__arm64_sys_",  "__riscv_sys_",
      "ia32_sys",    "ret_from_fork", "entry_INT80",   "asm_int80",
      "entry_SYSEN", "sysenter_"};
  return symbol.contains_insensitive("syscall") ||
         symbol.contains("system_call") || symbol.contains("sys_call") ||
         llvm::any_of(kBegins, [&](StringRef begin) {
           return symbol.starts_with(begin);
         });
}

/// Whether a signal handler returns to that function: functions of C libraries,
/// of the kernel's page of functions, and of the BSDs and macOS.
static bool isSignalTrampoline(StringRef symbol) {
  static constexpr StringRef kNames[] = {"__restore_rt",
                                         "__restore",
                                         "__kernel_rt_sigreturn",
                                         "__kernel_sigreturn",
                                         "__vdso_rt_sigreturn",
                                         "__kernel_sigtramp_rt64",
                                         "__kernel_sigtramp32",
                                         "__kernel_sigtramp_rt32",
                                         "__default_sa_restorer",
                                         "__default_rt_sa_restorer",
                                         "_sigtramp",
                                         "__sigtramp"};
  return llvm::is_contained(kNames, symbol);
}

AddressUse CallChain::take(const Frame &frame) {
  AddressUse use = next;
  // perf shows inlined functions before the real frame of that address.
  if (frame.object == "inlined")
    return use;
  if (isInKernel(frame)) {
    isSystemCall |= isOfSystemCall(frame.symbol);
    // Exceptions and interrupts keep the address of the instruction that they
    // stopped; a system call returns after its own. Code whose addresses matter
    // does not make system calls, so without names of the kernel it is the
    // former.
    next = isSystemCall ? AddressUse::ReturnAddress : AddressUse::Instruction;
  } else {
    next = isSignalTrampoline(frame.symbol) ? AddressUse::Unsure
                                            : AddressUse::ReturnAddress;
  }
  return use;
}
