"""DuckDB: SQL. It has no functions over rows with several results, so it lacks `rows`."""
import duckdb

import peer

database = duckdb.connect()


def one(query):
    return database.execute(query).fetchone()[0]


def range_(rows):
    return int(one(f"SELECT sum(id) FROM (SELECT range * 2 AS id FROM range({rows})) WHERE id % 3 = 0"))


def start(rows):
    return one(f"SELECT range FROM range({rows}) LIMIT 1")


peer.main({"range": range_, "start": start}, close_engine=database.close)
