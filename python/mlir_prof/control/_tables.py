# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of the tool's JSON documents."""

try:
    from .._table import Table
except ImportError:
    Table = None


class Rows(list):
    """Rows as dictionaries, where the package does not have tables."""

    def __init__(self, document):
        super().__init__(document["rows"])
        self.document = {key: value for key, value in document.items()
                         if key != "rows"}


def make_table(document):
    """The table of a report."""
    if Table is None or "columns" not in document:
        return Rows(document)
    return Table.from_document(document)


def make_advice(document):
    """The advice as a table: a row for each, with the time that it may save."""
    rows = [{"rule": advice["rule"], "gain_ps": advice["gain_ps"],
             "gain_ppm": advice["gain_ppm"], "statistic": advice["statistic"],
             "subjects": [subject["name"] for subject in advice["subjects"]],
             "refuted": advice["refuted"]} for advice in document["advice"]]
    if Table is None:
        return Rows({**document, "rows": rows})
    return Table(rows, document={key: value for key, value in document.items()
                                 if key != "advice"})
