//===- ChangeProfile.cpp - PATCH /profiles/{id} ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"

using namespace mlirprof;
using namespace mlirprof::serve;

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  constexpr size_t kMostText = 1000;
  auto profile = findProfile(api, request, AnyState::Yes);
  if (!profile)
    return profile.takeError();
  auto body = parseBody(request);
  if (!body)
    return body.takeError();
  ProfileChange change;
  for (const auto &[name, value] : *body) {
    std::optional<std::string> *text =
        llvm::StringSwitch<std::optional<std::string> *>(name)
            .Case("label", &change.label)
            .Case("name", &change.name)
            .Case("commit", &change.commit)
            .Case("machine", &change.machine)
            .Default(nullptr);
    auto given = value.getAsString();
    if (!text || !given || given->size() > kMostText)
      return requestError(400, "bad-body",
                          "'" + name.str() + "' cannot be changed to that",
                          "label, name, commit and machine are texts of at "
                          "most 1000 bytes.");
    *text = given->str();
  }
  if (llvm::Error error = api.store.change(profile->id, change))
    return std::move(error);
  auto changed = findProfile(api, request, AnyState::Yes);
  if (!changed)
    return changed.takeError();
  return makeJson(
      [&](llvm::json::OStream &json) { writeProfile(json, *changed); });
}

Route route::ChangeProfile() {
  return {"PATCH",
          "/profiles/{id}",
          "Change the texts of a profile.",
          {},
          run,
          BodyType::Json,
          R"({"label": {"type": "string"}, "name": {"type": "string"}, )"
          R"("commit": {"type": "string"}, "machine": {"type": "string"}})"};
}
