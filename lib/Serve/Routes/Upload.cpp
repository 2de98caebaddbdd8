//===- Upload.cpp - POST /profiles ----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Store/Import.h"
#include "Routes.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::serve;

static const UploadedFile *findFile(const Request &request,
                                    llvm::StringRef name) {
  for (const UploadedFile &file : request.files)
    if (file.name == name)
      return &file;
  return nullptr;
}

static llvm::Error checkForm(const Request &request) {
  for (const UploadedFile &file : request.files)
    if (file.name != "file" && file.name != "model")
      return requestError(400, "bad-body",
                          "a form does not have a file '" + file.name + "'",
                          "There are file and model.");
  for (const auto &[name, value] : request.fields)
    if (name != "label" && name != "name" && name != "commit" &&
        name != "machine")
      return requestError(400, "bad-body",
                          "a form does not have a field '" + name + "'",
                          "There are label, name, commit and machine.");
  if (!findFile(request, "file"))
    return requestError(400, "bad-body", "the form does not have a file",
                        "curl -F file=@RECORDING [-F model=@MODEL] ...");
  return llvm::Error::success();
}

static StoredProfile makeProfile(const Request &request) {
  StoredProfile profile;
  for (const auto &[name, value] : request.fields) {
    if (name == "label")
      profile.label = value;
    else if (name == "name")
      profile.name = value;
    else if (name == "commit")
      profile.commit = value;
    else
      profile.machine = value;
  }
  if (profile.name.empty())
    profile.name =
        llvm::sys::path::filename(findFile(request, "file")->fileName).str();
  return profile;
}

/// Keeps a file that was not read, and returns the error of the request.
static llvm::Error quarantine(Api &api, StoredProfile profile,
                              const UploadedFile &file, llvm::Error error) {
  std::string what, hint;
  llvm::handleAllErrors(
      std::move(error),
      [&](const InputError &error) {
        what = error.getWhat().str();
        hint = error.getHint().str();
      },
      [&](const llvm::ErrorInfoBase &error) { what = error.message(); });
  // The path in the store means nothing to the user.
  for (size_t at; (at = what.find(file.path)) != std::string::npos;)
    what.replace(at, file.path.size(), profile.name);
  profile.error = what + (hint.empty() ? "" : "\n" + hint);
  auto buffer = openInput(file.path);
  if (!buffer)
    return requestError(422, "unreadable", what, hint);
  profile.id = contentHash((*buffer)->getBuffer(), getBacking(**buffer));
  if (llvm::Error failed = api.store.quarantine(file.path, profile))
    return failed;
  return requestError(422, "unreadable", what, hint);
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  if (llvm::Error error = checkForm(request))
    return std::move(error);
  constexpr unsigned kMostImports = 2;
  Place place(api.imports, kMostImports);
  if (!place.isFree)
    return requestError(503, "busy", "other uploads are being read",
                        "Try again in a few seconds.");
  auto prepared = api.store.makeScratch();
  if (!prepared)
    return prepared.takeError();
  const UploadedFile &file = *findFile(request, "file");
  const UploadedFile *model = findFile(request, "model");
  StoredProfile profile = makeProfile(request);
  if (llvm::Error error =
          importFile(api.options.program, file.path, model ? model->path : "",
                     prepared->getPath())) {
    if (!error.isA<llvm::ECError>())
      return quarantine(api, std::move(profile), file, std::move(error));
    // The disk is full.
    return std::move(error);
  }
  // A profile is kept as it is.
  llvm::SmallString<128> stored(prepared->getPath());
  llvm::sys::path::append(stored, "profile.mlprof");
  if (!llvm::sys::fs::exists(stored))
    if (std::error_code error = llvm::sys::fs::rename(file.path, stored))
      return llvm::errorCodeToError(error);
  auto isNew = api.store.add(prepared->getPath(), profile);
  if (!isNew)
    return isNew.takeError();
  Answer answer =
      makeJson([&](llvm::json::OStream &json) { writeProfile(json, profile); });
  answer.status = *isNew ? 201 : 200;
  return answer;
}

Route route::Upload() {
  Route route = {
      "POST",
      "/profiles",
      "Upload a recording in any format that import reads.",
      {},
      run,
      BodyType::Form,
      R"({"file": {"type": "string", "format": "binary"}, "model": )"
      R"({"type": "string", "format": "binary"}, "label": {"type": "string"}, )"
      R"("name": {"type": "string"}, "commit": {"type": "string"}, )"
      R"("machine": {"type": "string"}})"};
  route.status = 201;
  return route;
}
