//===- Dispatch.cpp - From a request to its route -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Routes/Routes.h"
#include "Api.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::serve;

llvm::ArrayRef<Route> serve::getRoutes() {
  static const Route routes[] = {
#define MLIRPROF_ROUTE(NAME) route::NAME(),
#include "../Routes/Routes.def"
  };
  return routes;
}

/// Whether `path` is of the form of `pattern`; sets the values of its names.
static bool matches(llvm::StringRef pattern, llvm::StringRef path,
                    std::vector<std::string> &captures) {
  llvm::SmallVector<llvm::StringRef> wanted, given;
  pattern.split(wanted, '/');
  path.split(given, '/');
  if (wanted.size() != given.size())
    return false;
  captures.clear();
  for (auto [name, part] : llvm::zip(wanted, given)) {
    if (!name.starts_with("{")) {
      if (name != part)
        return false;
      continue;
    }
    auto text = decodeUrl(part, /*isQuery=*/false);
    if (!text || text->empty())
      return false;
    captures.push_back(std::move(*text));
  }
  return true;
}

static llvm::Error badParameter(const llvm::Twine &name,
                                const llvm::Twine &what,
                                const llvm::Twine &hint = "") {
  return requestError(400, "bad-parameter", "parameter '" + name + "' " + what,
                      hint);
}

static llvm::Error checkValue(const RouteParameter &parameter,
                              llvm::StringRef value) {
  if (parameter.type == ParameterType::Flag && value != "0" && value != "1")
    return badParameter(parameter.name, "is not 0 or 1");
  if (parameter.type != ParameterType::Integer)
    return llvm::Error::success();
  int64_t number = 0;
  if (value.getAsInteger(10, number))
    return badParameter(parameter.name, "is not an integer");
  if (number < parameter.minimum || number > parameter.maximum)
    return badParameter(parameter.name,
                        "is not from " + llvm::Twine(parameter.minimum) +
                            " to " + llvm::Twine(parameter.maximum));
  return llvm::Error::success();
}

static llvm::Error checkParameters(const Route &route, const Request &request) {
  for (const auto &[name, value] : request.parameters) {
    auto known =
        llvm::find_if(route.parameters, [&, &name = name](const auto &each) {
          return each.name == name;
        });
    if (known == route.parameters.end()) {
      auto names = llvm::map_range(route.parameters,
                                   [](const auto &each) { return each.name; });
      return badParameter(name, "does not exist",
                          route.parameters.empty()
                              ? "There are none."
                              : "There are " + llvm::join(names, ", ") + ".");
    }
    if (!known->isRepeated && request.getAll(name).size() > 1)
      return badParameter(name, "is given twice");
    if (llvm::Error error = checkValue(*known, value))
      return error;
  }
  for (const RouteParameter &parameter : route.parameters)
    if (parameter.isRequired && !request.has(parameter.name))
      return badParameter(parameter.name, "is missing");
  return llvm::Error::success();
}

static llvm::Expected<Answer> runRoute(Api &api, Request &request) {
  std::vector<llvm::StringRef> methods;
  for (const Route &route : getRoutes()) {
    if (!matches(route.path, request.path, request.captures))
      continue;
    methods.push_back(route.method);
    if (route.method != request.method)
      continue;
    if (llvm::Error error = checkParameters(route, request))
      return std::move(error);
    return route.run(api, request);
  }
  if (methods.empty())
    return requestError(404, "no-route", "there is nothing at this address",
                        "/api/v1/openapi.json lists all addresses.");
  return requestError(405, "bad-method",
                      request.method + " is not possible here",
                      "Possible: " + llvm::join(methods, ", ") + ".");
}

Answer serve::answer(Api &api, Request request) {
  auto answer = runRoute(api, request);
  return answer ? std::move(*answer) : answerError(answer.takeError());
}

llvm::Expected<StoredProfile>
serve::findProfile(Api &api, const Request &request, AnyState state) {
  auto profile = api.store.find(request.captures.front());
  if (!profile)
    return profile.takeError();
  if (!*profile)
    return requestError(404, "no-profile", "there is no such profile",
                        "/api/v1/profiles lists all profiles.");
  if (state == AnyState::No && (*profile)->state != ProfileState::Ready)
    return requestError(409, "quarantined",
                        "the file could not be read: " + (*profile)->error,
                        "Download it, or delete it.");
  return std::move(**profile);
}
