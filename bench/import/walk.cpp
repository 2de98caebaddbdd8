//===- walk.cpp - simdjson's own walk over trace events -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The baseline for an importer of trace events: simdjson reads the file as one
// document, on demand, and every event's fields and the keys of its arguments
// are touched once. Prints the seconds without loading the file.
//
//===----------------------------------------------------------------------===//

#include <chrono>
#include <cstdio>
#include <simdjson.h>

namespace ondemand = simdjson::ondemand;

static int fail(const char *what) {
  std::fprintf(stderr, "error: %s\n", what);
  return 1;
}

int main(int argc, char **argv) {
  simdjson::padded_string text;
  if (argc != 2 || simdjson::padded_string::load(argv[1]).get(text))
    return fail("needs a file");
  // Warms up its pages, and the processor's clock.
  volatile unsigned touched = 0;
  for (size_t i = 0; i < text.size(); i += 4096)
    touched = touched + unsigned(text.data()[i]);
  auto begin = std::chrono::steady_clock::now();
  ondemand::parser parser;
  ondemand::document document;
  ondemand::array events;
  if (parser.iterate(text).get(document) ||
      document["traceEvents"].get_array().get(events))
    return fail("no trace events");
  size_t count = 0, characters = 0, keys = 0;
  double times = 0;
  for (auto element : events) {
    ondemand::object event;
    if (element.get_object().get(event))
      return fail("malformed event");
    ++count;
    for (auto entry : event) {
      ondemand::field field;
      if (std::move(entry).get(field))
        return fail("malformed field");
      ondemand::value &value = field.value();
      if (field.key() == "args") {
        ondemand::object arguments;
        if (value.get_object().get(arguments))
          continue;
        for (auto argument : arguments)
          keys += argument.error() == simdjson::SUCCESS;
      } else if (field.key() == "ts" || field.key() == "dur") {
        double time;
        if (!value.get_double().get(time))
          times += time;
      } else {
        std::string_view string;
        if (!value.get_string().get(string))
          characters += string.size();
      }
    }
  }
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  std::printf("{\"seconds\": %.6f, \"events\": %zu, \"check\": %.0f}\n",
              seconds.count(), count,
              times + double(characters) + double(keys));
  return 0;
}
