//===- LinkObjects.h - Joining objects --------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COMPILE_LINKOBJECTS_H
#define MLIR_PROF_COMPILE_LINKOBJECTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlirprof::compile {

/// Joins relocatable ELF objects into one, as `ld -r` does: sections of the
/// same name follow one another. Fails if two of them define the same global
/// symbol. One thread at a time links.
llvm::Expected<std::string>
linkObjects(llvm::ArrayRef<llvm::StringRef> objects);

/// Makes a shared library of relocatable objects. Symbols other than `exported`
/// are local; what the objects do not define is left to the loader, which opens
/// the libraries that `needed` names. `empty` is an object without content.
llvm::Expected<std::string>
linkLibrary(llvm::ArrayRef<llvm::StringRef> objects,
            llvm::ArrayRef<llvm::StringRef> exported,
            llvm::ArrayRef<llvm::StringRef> needed, llvm::StringRef empty);

/// Makes a shared object without names and without symbols but those that the
/// objects do not define, with further options of ld.lld.
llvm::Expected<std::string>
linkEmbedded(llvm::ArrayRef<llvm::StringRef> objects,
             llvm::ArrayRef<std::string> options);

/// Makes a program of relocatable objects, which begins at the symbol `entry`.
/// `script` is the linker's; if empty, its own. It is an error if a symbol is
/// not defined.
llvm::Expected<std::string> linkProgram(llvm::ArrayRef<llvm::StringRef> objects,
                                        llvm::StringRef entry,
                                        llvm::StringRef script);

} // namespace mlirprof::compile

#endif // MLIR_PROF_COMPILE_LINKOBJECTS_H
