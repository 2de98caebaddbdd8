//===- Annotate.cpp - Times on the ops of a module ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Session/Annotate.h"
#include "Note.h"
#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/File.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

uint64_t mlirprof::annotateModule(Session &session,
                                  const AnnotateOptions &options) {
  session.context->loadDialect<prof::ProfDialect>();
  return annotate(session.module.get(), *session.attribution, options);
}

llvm::Error mlirprof::storeInProfile(Session &session, llvm::StringRef path,
                                     llvm::StringRef modelPath,
                                     const NoteHandler &onNote) {
  if (path == "-" || isPipe(path))
    return llvm::Error::success();
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  bool binary = isProfileFile((*buffer)->getBuffer());
  if (!binary && !isProfileJson((*buffer)->getBuffer()))
    return llvm::Error::success();
  buffer->reset();

  if (session.attribution->coverage.unmatchedPs ==
      session.attribution->coverage.opTimePs) {
    note(onNote, path + ": the module was not stored, because it does not own "
                        "any time of the profile");
    return llvm::Error::success();
  }
  Profile &profile = session.profile;
  const IrModule *before = profile.findIrModule("input");
  // A module recorded with a program is a level of that program.
  if (before && !before->program.empty())
    return llvm::Error::success();
  std::string held = before ? before->fingerprint : "";
  if (llvm::Error error =
          storeModule(profile, "input", session.module.get(), modelPath))
    return error;
  if (profile.findIrModule("input")->fingerprint == held)
    return llvm::Error::success();
  if (llvm::Error error = saveProfile(
          profile, binary ? ProfileForm::Binary : ProfileForm::Json, path))
    return error;
  note(onNote,
       path + ": now contains the module; later verbs do not need --model");
  return llvm::Error::success();
}
