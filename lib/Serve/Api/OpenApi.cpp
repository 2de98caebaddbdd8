//===- OpenApi.cpp - The description of the API ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Api.h"
#include "mlir-prof/Support/Version.h"
#include "llvm/ADT/MapVector.h"

using namespace mlirprof;
using namespace mlirprof::serve;

static void writeParameter(llvm::json::OStream &json, llvm::StringRef name,
                           llvm::StringRef where, bool isRequired,
                           llvm::StringRef description,
                           llvm::function_ref<void()> schema) {
  json.object([&] {
    json.attribute("name", name);
    json.attribute("in", where);
    json.attribute("required", isRequired);
    if (!description.empty())
      json.attribute("description", description);
    json.attributeObject("schema", schema);
  });
}

static void writeSchema(llvm::json::OStream &json,
                        const RouteParameter &parameter) {
  switch (parameter.type) {
  case ParameterType::Text:
    return json.attribute("type", "string");
  case ParameterType::Flag:
    json.attribute("type", "integer");
    return json.attributeArray("enum", [&] {
      json.value(0);
      json.value(1);
    });
  case ParameterType::Integer:
    json.attribute("type", "integer");
    json.attribute("format", "int64");
    json.attribute("minimum", parameter.minimum);
    if (parameter.maximum != INT64_MAX)
      json.attribute("maximum", parameter.maximum);
  }
}

static void writeParameters(llvm::json::OStream &json, const Route &route) {
  llvm::StringRef path = route.path;
  while (!(path = path.drop_until([](char c) { return c == '{'; })).empty()) {
    llvm::StringRef name =
        path.drop_front().take_until([](char c) { return c == '}'; });
    writeParameter(json, name, "path", true, "",
                   [&] { json.attribute("type", "string"); });
    path = path.drop_front(name.size());
  }
  for (const RouteParameter &parameter : route.parameters)
    writeParameter(json, parameter.name, "query", parameter.isRequired,
                   parameter.description, [&] {
                     if (!parameter.isRepeated)
                       return writeSchema(json, parameter);
                     json.attribute("type", "array");
                     json.attributeObject(
                         "items", [&] { writeSchema(json, parameter); });
                   });
}

static void writeBody(llvm::json::OStream &json, const Route &route) {
  if (route.body == BodyType::None)
    return;
  bool isForm = route.body == BodyType::Form;
  json.attributeObject("requestBody", [&] {
    json.attribute("required", true);
    json.attributeObject("content", [&] {
      json.attributeObject(isForm ? "multipart/form-data" : "application/json",
                           [&] {
                             json.attributeObject("schema", [&] {
                               json.attribute("type", "object");
                               json.attributeBegin("properties");
                               json.rawValue(route.bodyProperties);
                               json.attributeEnd();
                             });
                           });
    });
  });
}

static void writeResponse(llvm::json::OStream &json, const llvm::Twine &status,
                          llvm::StringRef description, llvm::StringRef type,
                          llvm::StringRef schema) {
  json.attributeObject(status.str(), [&] {
    json.attribute("description", description);
    if (type.empty())
      return;
    json.attributeObject("content", [&] {
      json.attributeObject(type, [&] {
        json.attributeBegin("schema");
        json.rawValue(schema);
        json.attributeEnd();
      });
    });
  });
}

static void writeRoute(llvm::json::OStream &json, const Route &route) {
  json.attributeObject(route.method.lower(), [&] {
    json.attribute("summary", route.summary);
    json.attributeArray("parameters", [&] { writeParameters(json, route); });
    writeBody(json, route);
    json.attributeObject("responses", [&] {
      bool isJson = route.type == "application/json";
      writeResponse(json, llvm::Twine(route.status), "Done.", route.type,
                    isJson ? R"({"type": "object"})" : R"({"type": "string"})");
      writeResponse(json, "default", "An error.", "application/json",
                    R"({"$ref": "#/components/schemas/Error"})");
    });
  });
}

std::string serve::describeApi() {
  llvm::MapVector<llvm::StringRef, std::vector<const Route *>> paths;
  for (const Route &route : getRoutes())
    paths[route.path].push_back(&route);
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("openapi", "3.1.0");
    json.attributeObject("info", [&] {
      json.attribute("title", "mlir-prof");
      json.attribute("version", getVersion());
      json.attribute("description",
                     "Profiles in a folder. Times are integers of picoseconds "
                     "(*_ps); integers beyond 2^53 are texts.");
    });
    json.attributeArray("servers", [&] {
      json.object([&] { json.attribute("url", "/api/v1"); });
    });
    json.attributeObject("paths", [&] {
      for (const auto &[path, routes] : paths)
        json.attributeObject(path, [&, &routes = routes] {
          for (const Route *route : routes)
            writeRoute(json, *route);
        });
    });
    json.attributeBegin("components");
    json.rawValue(R"({"schemas": {"Error": {"type": "object", "required": )"
                  R"(["code", "message", "hint"], "properties": {"code": )"
                  R"({"type": "string"}, "message": {"type": "string"}, )"
                  R"("hint": {"type": "string"}}}}})");
    json.attributeEnd();
  });
  os << '\n';
  return text;
}
