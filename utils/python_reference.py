# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference of the Python package, from the docstrings of its public names.

The sources are read, not imported, so that neither the extensions nor frameworks are
needed."""

import ast
import inspect
import textwrap

HEAD = """# Python

[python.md](../python.md) explains the package, and [scopes-python.md](../scopes-python.md)
the names of scopes. `import mlir_prof` makes all names available.
"""


def _list_public(package):
    """(module, names) in the order of the package's own table."""
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    tables = {node.targets[0].id: ast.literal_eval(node.value) for node in tree.body
              if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)}
    return [*tables["_PUBLIC"].items(), *tables["_SCOPES"].items()]


def _document(node):
    return inspect.cleandoc(ast.get_docstring(node) or "")


def _write_signature(name, function, is_method):
    arguments = function.args
    if is_method and arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments.args = arguments.args[1:]
    text = f"{name}({ast.unparse(arguments)})"
    if function.returns is not None:
        text += f" -> {ast.unparse(function.returns)}"
    return "\n".join(textwrap.wrap(text.replace("typing.", ""), 88,
                                   subsequent_indent="    "))


def _write_function(name, function, is_method=False):
    return f"```text\n{_write_signature(name, function, is_method)}\n```\n\n" + (
        _document(function) or "")


def _is_property(node):
    return any(ast.unparse(one) == "property" for one in node.decorator_list)


def _write_class(name, node):
    parts = [_document(node)]
    for member in node.body:
        if not isinstance(member, ast.FunctionDef) or not ast.get_docstring(member):
            continue
        if any("overload" in ast.unparse(one) for one in member.decorator_list):
            continue
        if _is_property(member):
            parts.append(f"`{name}.{member.name}`: {_document(member)}")
        elif member.name in ("__init__", "__call__"):
            shown = name if member.name == "__init__" else name.lower()
            parts.append(_write_function(shown, member, is_method=True))
        elif not member.name.startswith("_"):
            parts.append(_write_function(f"{name}.{member.name}", member,
                                         is_method=True))
    return "\n\n".join(part for part in parts if part)


def make(package):
    """The page."""
    parts = [HEAD]
    for module, names in _list_public(package):
        path = package / f"{module}.py"
        if not path.exists():
            path = package / module / "__init__.py"
        if not path.exists():
            continue
        found = {node.name: node for node in ast.walk(ast.parse(
            path.read_text(encoding="utf-8")))
            if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        for name in names:
            node = found.get(name)
            if node is None or not ast.get_docstring(node):
                continue
            write = _write_class if isinstance(node, ast.ClassDef) else _write_function
            parts.append(f"## `{name}`\n\n{write(name, node).strip()}\n")
    return "\n".join(parts)
