"""Reads tables that the program wrote with pandas, polars and DuckDB.

The first argument is the program. What each reader finds in a file must be
what the program says in CSV, which is read here without their help.
"""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow.parquet

TABLES = {
    "kayles": ["kayles", "--upto", "5000"],
    "large values": ["nim", "--upto", "70000"],
    "pairs": ["wythoff", "--box", "40,30"],
    "sums in misère play": ["nim", "--box", "9,9", "--misere"],
    "no positions": ["game p\nunordered\ntake: [x,y] -> [x-k,y] where k >= 1", "--box", "9,9"],
    "undecided": ["[n] -> [n-1] where n < 5; [5] -> [6]; [6] -> [5]", "--upto", "12"],
}


def expected(text):
    """The names of the columns, and the rows, of the program's own CSV."""
    header, *rows = csv.reader(text.splitlines())
    cell = lambda word: None if word == "?" else int(word) if word.isdigit() else word
    return header, [tuple(map(cell, row)) for row in rows]


def plain(value):
    """A cell without the reader's own types and its own way to say that there is nothing."""
    if value is None or value is pandas.NA or value != value:
        return None
    return value if isinstance(value, str) else int(value)


def readers(path):
    """The names of the columns and the rows that each reader finds."""
    if path.suffix == ".parquet":
        yield "pandas", pandas.read_parquet(path)
        yield "polars", polars.read_parquet(path)
        yield "DuckDB", duckdb.sql(f"from read_parquet('{path}')")
    else:
        yield "pandas", pandas.read_json(path, lines=True)
        yield "polars", polars.read_ndjson(path)
        yield "DuckDB", duckdb.sql(f"from read_json('{path}')")


def rows(table):
    """The rows of a table of any reader."""
    if isinstance(table, pandas.DataFrame):
        found = table.itertuples(index=False, name=None)
    elif isinstance(table, polars.DataFrame):
        found = table.iter_rows()
    else:
        found = table.fetchall()
    return [tuple(map(plain, row)) for row in found]


def check_parquet(path, header, game):
    """The types, the encodings and the metadata."""
    schema = polars.read_parquet_schema(path)
    numbers = [kind for kind in schema.values() if kind != polars.String]
    assert all(kind.is_unsigned_integer() for kind in numbers), schema
    parts = duckdb.sql(
        "select path_in_schema, encodings, compression"
        f" from parquet_metadata('{path}')"
    ).fetchall()
    for column, encodings, compression in parts:
        assert compression == "ZSTD", compression
        if column == "grundy":
            assert "BYTE_STREAM_SPLIT" in encodings, encodings
    found = duckdb.sql(f"select key, value from parquet_kv_metadata('{path}')").fetchall()
    by_duckdb = {bytes(key).decode(): bytes(value).decode() for key, value in found}
    metadata = pyarrow.parquet.read_metadata(path).metadata
    by_pyarrow = {key.decode(): value.decode() for key, value in metadata.items()}
    assert by_duckdb == by_pyarrow
    assert by_duckdb["grundy.content"] == header[-1]
    assert by_duckdb["grundy.digest"].startswith("sha256:")
    assert by_duckdb["grundy.rules"].startswith("game "), by_duckdb["grundy.rules"]
    assert json.loads(by_duckdb["grundy.evidence"])["kind"] == "exhaustive"
    assert isinstance(json.loads(by_duckdb["grundy.parameters"]), dict)


def main():
    program = sys.argv[1]
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in TABLES.items():
            def table(*more):
                command = [program, "table", *arguments, *more]
                return subprocess.run(command, capture_output=True, text=True)

            header, wanted = expected(table("--format", "csv").stdout)
            for ending in ["parquet", "jsonl"]:
                path = Path(folder) / f"{name.replace(' ', '-')}.{ending}"
                written = table("-o", str(path))
                assert written.returncode in (0, 3), written.stderr
                if ending == "parquet":
                    check_parquet(path, header, name)
                for reader, found in readers(path):
                    assert list(found.columns) == header, (name, reader, found.columns)
                    assert rows(found) == wanted, (name, reader, ending)
                    compared += 1
    print(f"{compared} tables read by pandas, polars and DuckDB are those of the program")


main()
