//===- HostFunctions.cpp - Functions that a library's host has ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory, threads and failures of a model belong to the process that loads it,
// which may be any program. So the code reaches the functions for them by a
// table of the loader, and not by names that the process may lack, or have from
// elsewhere.
//
//===----------------------------------------------------------------------===//

#include "HostFunctions.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Runtime/prof_model_file.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

Expected<std::string>
compile::emitHostFunctions(const codegen::TargetModel &target) {
#define SLOT(MEMBER) offsetof(prof_model_host, MEMBER)
  const Forwarder forwarders[] = {
      {codegen::kRunFunction.str(), "ipppp", SLOT(run)},
      {"malloc", "pl", SLOT(allocate)},
      {"calloc", "pll", SLOT(allocate_zeroed)},
      {"realloc", "ppl", SLOT(reallocate)},
      {"aligned_alloc", "pll", SLOT(allocate_aligned)},
      {"posix_memalign", "ipll", SLOT(allocate_to)},
      {"free", "vp", SLOT(release)},
      // Other names that upstream's lowering has for these.
      {"_mlir_memref_to_llvm_alloc", "pl", SLOT(allocate)},
      {"_mlir_memref_to_llvm_aligned_alloc", "pll", SLOT(allocate_aligned)},
      {"_mlir_memref_to_llvm_free", "vp", SLOT(release)},
      {"puts", "ip", SLOT(print)},
      {"abort", "v", SLOT(fail)},
      {"memrefCopy", "vlpp", SLOT(copy)},
  };
#undef SLOT
  BackendOptions options;
  options.target = target;
  return emitForwarders(PROF_MODEL_HOST, forwarders, options);
}

ArrayRef<StringRef> compile::getNeededLibraries() {
  static constexpr StringRef names[] = {"libm.so.6", "libc.so.6"};
  return names;
}

bool compile::isMathFunction(StringRef name) {
  static const StringSet<> names = {
      "acos",    "acosh", "asin",  "asinh",  "atan",   "atan2",     "atanh",
      "cbrt",    "ceil",  "cos",   "cosh",   "erf",    "erfc",      "exp",
      "exp10",   "exp2",  "expm1", "fabs",   "floor",  "fma",       "fmax",
      "fmin",    "fmod",  "hypot", "ldexp",  "lgamma", "log",       "log10",
      "log1p",   "log2",  "pow",   "rint",   "round",  "sin",       "sinh",
      "sqrt",    "tan",   "tanh",  "tgamma", "trunc",  "roundeven", "nearbyint",
      "copysign"};
  return names.contains(name) ||
         (name.consume_back("f") && names.contains(name));
}

/// Functions of the C library that LLVM calls on its own, and of mathematics.
/// Others could do anything in the process.
static bool isInLibraries(StringRef name) {
  static const StringSet<> names = {"bcmp",   "frexp",   "frexpf", "memcmp",
                                    "memcpy", "memmove", "memset", "modf",
                                    "modff",  "sincos",  "sincosf"};
  return isMathFunction(name) || names.contains(name);
}

Error compile::checkNeededFunctions(StringRef library) {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(library, "the library"));
  if (!file)
    return file.takeError();
  const auto &elf = *cast<object::ELFObjectFileBase>(file->get());
  for (const object::ELFSymbolRef &symbol : elf.getDynamicSymbolIterators()) {
    Expected<uint32_t> flags = symbol.getFlags();
    Expected<StringRef> name = symbol.getName();
    if (!flags || !name)
      return joinErrors(flags.takeError(), name.takeError());
    if (!(*flags & object::SymbolRef::SF_Undefined) || name->empty() ||
        isInLibraries(*name))
      continue;
    return inputError("function " + *name,
                      "the model calls it, and a compiled model can only call "
                      "those of mathematics",
                      "Declare functions of the model with a body.");
  }
  return Error::success();
}
