# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks documents against the part of JSON Schema 2020-12 that docs/schemas uses.

A keyword that is not known here is an error, so that a schema never promises what
nothing checks.
"""

import re

TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    # True is an int in Python, and 1.0 is no integer in these documents.
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float))
    and not isinstance(value, bool),
}
NOTES = {"$schema", "$id", "$defs", "title", "description"}
KNOWN = NOTES | {"$ref", "type", "const", "enum", "minimum", "pattern", "items",
                 "properties", "required", "additionalProperties", "allOf", "anyOf",
                 "if", "then"}


class Schema:
    """A schema with its definitions."""

    def __init__(self, root):
        self.root = root
        self.check_keywords(root)

    def check_keywords(self, schema):
        """Fails on keywords that find_error() would pass over."""
        if isinstance(schema, bool):
            return
        unknown = schema.keys() - KNOWN
        if unknown:
            raise ValueError(f"keywords {sorted(unknown)} are not checked")
        inner = [schema[key] for key in ("items", "additionalProperties", "if", "then")
                 if key in schema]
        inner += schema.get("allOf", []) + schema.get("anyOf", [])
        for key in ("properties", "$defs"):
            inner += schema.get(key, {}).values()
        for each in inner:
            self.check_keywords(each)

    def resolve(self, reference):
        value = self.root
        for part in reference.removeprefix("#/").split("/"):
            value = value[part]
        return value

    def find_error(self, value, schema=None, path="$"):
        """The first thing in which `value` differs from the schema, or None."""
        schema = self.root if schema is None else schema
        if isinstance(schema, bool):
            return None if schema else f"{path} is not allowed"
        if "$ref" in schema:
            error = self.find_error(value, self.resolve(schema["$ref"]), path)
            if error:
                return error
        return (self.find_simple(value, schema, path)
                or self.find_inside(value, schema, path)
                or self.find_combined(value, schema, path))

    def find_simple(self, value, schema, path):
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(TYPES[name](value) for name in types):
            return f"{path} is {value!r}, not {' or '.join(types)}"
        if "const" in schema and value != schema["const"]:
            return f"{path} is {value!r}, not {schema['const']!r}"
        if "enum" in schema and value not in schema["enum"]:
            return f"{path} is {value!r}, none of {schema['enum']}"
        if "minimum" in schema and TYPES["number"](value) \
                and value < schema["minimum"]:
            return f"{path} is {value}, less than {schema['minimum']}"
        if "pattern" in schema and isinstance(value, str) \
                and not re.search(schema["pattern"], value):
            return f"{path} is {value!r}, not like {schema['pattern']}"
        return None

    def find_inside(self, value, schema, path):
        if isinstance(value, list) and "items" in schema:
            for index, item in enumerate(value):
                error = self.find_error(item, schema["items"], f"{path}[{index}]")
                if error:
                    return error
        if not isinstance(value, dict):
            return None
        for name in schema.get("required", []):
            if name not in value:
                return f"{path}.{name} is missing"
        properties = schema.get("properties", {})
        for name, item in value.items():
            inner = properties.get(name, schema.get("additionalProperties", True))
            error = self.find_error(item, inner, f"{path}.{name}")
            if error:
                return error
        return None

    def find_combined(self, value, schema, path):
        for each in schema.get("allOf", []):
            error = self.find_error(value, each, path)
            if error:
                return error
        errors = [self.find_error(value, each, path)
                  for each in schema.get("anyOf", [])]
        if errors and all(errors):
            return errors[0]
        if "if" in schema and not self.find_error(value, schema["if"], path):
            return self.find_error(value, schema.get("then", True), path)
        return None
