//===- ServeFuzzer.cpp - Fuzz target for requests of the service ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is a method, a target below /api/v1 and, on further lines, a body.
// "ID" in the target is the profile of the store. Each answer must be one of
// the statuses of the API, and JSON where it says so.
//
//===----------------------------------------------------------------------===//

#include "Api/Api.h"
#include "Api/Sessions.h"
#include "mlir-prof/Support/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace mlirprof;
using namespace mlirprof::serve;

namespace {

/// A store with one profile in a folder that ends with the process.
class FuzzedApi {
public:
  FuzzedApi()
      : folder(makeFolder()),
        store(llvm::cantFail(Store::open(folder.getPath()))),
        sessions(*store, uint64_t(1) << 30), api{*store, sessions, options} {
    ScratchFolder prepared = llvm::cantFail(store->makeScratch());
    llvm::cantFail(
        prepareProfile(MLIRPROF_FUZZ_PROFILE, "", prepared.getPath()));
    std::string stored = prepared.getPath() + "/profile.mlprof";
    if (!llvm::sys::fs::exists(stored) &&
        llvm::sys::fs::copy_file(MLIRPROF_FUZZ_PROFILE, stored))
      abort();
    StoredProfile profile;
    llvm::cantFail(store->add(prepared.getPath(), profile));
    id = profile.id;
  }

  Answer ask(llvm::StringRef text);

private:
  static std::string makeFolder() {
    llvm::SmallString<128> path;
    if (llvm::sys::fs::createUniqueDirectory("fuzz-serve", path))
      abort();
    return path.str().str();
  }

  ScratchFolder folder;
  ServeOptions options;
  std::unique_ptr<Store> store;
  SessionCache sessions;
  Api api;
  std::string id;
};

} // namespace

Answer FuzzedApi::ask(llvm::StringRef text) {
  auto [line, body] = text.split('\n');
  auto [method, target] = line.split(' ');
  auto [path, query] = target.split('?');
  Request request;
  request.method = method.str();
  request.path = path.str();
  if (size_t at = request.path.find("ID"); at != std::string::npos)
    request.path.replace(at, 2, id);
  request.body = body.str();
  if (auto fields = parseQuery(query))
    request.parameters = std::move(*fields);
  // A changed store would change the meaning of all later inputs.
  if (method == "DELETE" || (method == "POST" && path == "/profiles"))
    return {};
  return answer(api, std::move(request));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static FuzzedApi api;
  Answer answer = api.ask({reinterpret_cast<const char *>(data), size});
  bool isKnown = (answer.status >= 200 && answer.status < 300) ||
                 (answer.status >= 400 && answer.status < 500) ||
                 answer.status == 503;
  if (!isKnown)
    abort();
  if (answer.type == "application/json" && !answer.body.empty())
    llvm::cantFail(llvm::json::parse(answer.body).takeError());
  return 0;
}
