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


def scan(rows):
    count, revenue = database.execute(
        f"SELECT count(*), sum(l_extendedprice::DOUBLE * l_discount::DOUBLE) FROM '{peer.lineitem()}' "
        "WHERE l_shipdate >= DATE '1995-01-01' AND l_discount > 0.05").fetchone()
    return f"{count} / {revenue:.2f}"


def read(rows):
    database.execute("SET preserve_insertion_order = false")
    return sum(batch.num_rows for batch in database.sql(f"SELECT * FROM '{peer.lineitem()}'").to_arrow_reader(100_000))


def csv(rows):
    database.execute("SET preserve_insertion_order = false")
    return sum(batch.num_rows for batch in database.sql(f"SELECT * FROM read_csv('{peer.lineitem_csv()}')").to_arrow_reader(100_000))


def etl(rows):
    database.execute("SET preserve_insertion_order = false")
    return peer.written(lambda out: one(
        f"COPY (SELECT *, l_extendedprice::DOUBLE * (1 - l_discount::DOUBLE) AS net FROM '{peer.lineitem()}') "
        f"TO '{out}/part.parquet' (FORMAT parquet, COMPRESSION snappy)"))


FOUR = "l_orderkey, l_extendedprice, l_discount, l_shipdate"


def ordered(by):
    database.execute("SET preserve_insertion_order = false")
    return peer.written(lambda out: one(
        f"COPY (SELECT {FOUR} FROM '{peer.lineitem()}' ORDER BY {by}) "
        f"TO '{out}/part.parquet' (FORMAT parquet, COMPRESSION snappy)"))


def sort(rows):
    return ordered("l_extendedprice")


def shuffle(rows):
    return ordered("random()")


def groupby(rows):
    groups, quantity, count = database.execute(
        "SELECT count(*), sum(q), sum(n) FROM (SELECT l_suppkey, sum(l_quantity) q, avg(l_extendedprice) p, count(*) n "
        f"FROM '{peer.lineitem()}' GROUP BY 1)").fetchone()
    return f"{groups} / {quantity} / {count}"


def groupby_mean(rows):
    groups, quantity, price, count = database.execute(
        "SELECT count(*), sum(q), sum(p), sum(n) FROM (SELECT l_suppkey, sum(l_quantity) q, avg(l_extendedprice) p, count(*) n "
        f"FROM '{peer.lineitem()}' GROUP BY 1)").fetchone()
    return f"{groups} / {quantity} / {price:.0f} / {count}"


def groupby_high(rows):
    groups, quantity = database.execute(
        f"SELECT count(*), sum(q) FROM (SELECT l_orderkey, sum(l_quantity) q FROM '{peer.lineitem()}' GROUP BY 1)").fetchone()
    return f"{groups} / {quantity}"


def join(rows):
    return str(database.execute(
        f"SELECT o_orderpriority, count(*) FROM '{peer.lineitem()}' JOIN '{peer.orders()}' ON l_orderkey = o_orderkey "
        "GROUP BY 1 ORDER BY 1").fetchall())


def join_left(rows):
    count, parts, quantity = database.execute(
        "SELECT count(*), sum(part), sum(l_quantity) FROM (SELECT range * 41 AS part FROM range(10000)) "
        f"LEFT JOIN '{peer.lineitem()}' ON part = l_partkey").fetchone()
    return f"{count} / {parts} / {quantity}"


def numbered(over):
    numbers, sums = database.execute(
        f"SELECT sum(n), sum(s) FROM (SELECT row_number() OVER w n, sum(l_quantity) OVER w s FROM '{peer.lineitem()}' "
        f"WINDOW w AS ({over}))").fetchone()
    return f"{numbers} / {sums}"


def window(rows):
    return numbered("PARTITION BY l_suppkey ORDER BY l_shipdate")


def window_whole(rows):
    return numbered("ORDER BY l_shipdate")


def distinct(rows):
    return str(one(f"SELECT count(*) FROM (SELECT DISTINCT l_suppkey, l_shipdate FROM '{peer.lineitem()}')"))


def value_counts(rows):
    values, count, most = database.execute(
        "SELECT count(*), sum(n), max(n) FROM "
        f"(SELECT l_partkey, count(*) n FROM '{peer.lineitem()}' GROUP BY 1 ORDER BY n DESC)").fetchone()
    return f"{values} / {count} / {most}"


def approx_distinct(rows):
    return str(one(f"SELECT approx_count_distinct(l_orderkey) FROM '{peer.lineitem()}'"))


def in_little_memory():
    """1 GB, with a folder beside the output for the rest."""
    database.execute("SET memory_limit = '1GB'")
    database.execute("SET preserve_insertion_order = false")


def sort_large(rows):
    in_little_memory()

    def write(out):
        database.execute(f"SET temp_directory = '{out}/spilled'")
        return one("COPY (SELECT l_orderkey, l_partkey, l_suppkey, l_quantity, l_extendedprice, l_discount "
                   f"FROM '{peer.lineitem()}' ORDER BY l_extendedprice) "
                   f"TO '{out}/part.parquet' (FORMAT parquet, COMPRESSION snappy)")
    return peer.written(write)


def join_large(rows):
    in_little_memory()

    def run(out):
        database.execute(f"SET temp_directory = '{out}/spilled'")
        return database.execute(
            "SELECT o_orderpriority, count(*), sum(l_partkey), sum(l_suppkey), sum(l_quantity), sum(l_extendedprice), "
            "sum(l_discount), sum(o_custkey), sum(o_totalprice) "
            f"FROM '{peer.lineitem()}' JOIN '{peer.orders()}' ON l_orderkey = o_orderkey "
            "GROUP BY 1 ORDER BY 1").fetchall()
    return ", ".join(" ".join(str(value) for value in row) for row in peer.written(run))


def small_files(rows):
    database.execute("SET preserve_insertion_order = false")
    return sum(batch.num_rows for batch in database.sql(f"SELECT * FROM '{peer.small_files()}'").to_arrow_reader(100_000))


def json(rows):
    database.execute("SET preserve_insertion_order = false")
    return sum(batch.num_rows for batch in database.sql(f"SELECT * FROM read_json('{peer.lineitem_json()}')").to_arrow_reader(100_000))


def mixed(query):
    """A query over the tables facts, names and pairs, whose answer is one row."""
    return peer.line(database.execute(with_tables(query)).fetchone())


def with_tables(query):
    for table in ("facts", "names", "pairs"):
        query = query.replace(f"{{{table}}}", f"'{peer.mixed(table)}'")
    return query


def mixed_sort(columns, keys):
    def write(out):
        database.execute("SET preserve_insertion_order = false")
        order = ", ".join(f"{key} NULLS LAST" for key in keys)
        count = one(with_tables(f"COPY (SELECT {columns} FROM {{facts}} ORDER BY {order}) "
                                f"TO '{out}/part.parquet' (FORMAT parquet, COMPRESSION snappy)"))
        database.execute("SET preserve_insertion_order = true")
        middle = database.execute(
            f"SELECT {', '.join(keys)} FROM '{out}/part.parquet' LIMIT 1 OFFSET {count // 2}").fetchone()
        return f"{count} / {' '.join(str(value) for value in middle)}"
    return peer.written(write)


def decimals(rows):
    groups = database.execute(with_tables(
        "SELECT flag, status, sum(quantity), sum(price), sum(price * (1 - discount)), "
        "sum(price * (1 - discount) * (1 + tax)), avg(quantity), avg(price), avg(discount), count(*) FROM {facts} "
        "WHERE day <= DATE '1998-09-02' GROUP BY 1, 2 ORDER BY 1, 2")).fetchall()
    return ", ".join(f"{g[0]} {g[1]} {g[2]} {g[3]} {float(g[4]):.6e} {float(g[5]):.6e} {g[9]}" for g in groups)


MIXED = {
    "nulls-filter": lambda rows: mixed(
        "SELECT count(*), sum(v), sum(w) FROM {facts} WHERE v > 200000 AND (w < 9000 OR k < 50000)"),
    "nulls-group": lambda rows: mixed(
        "SELECT count(*), sum(v), sum(w), sum(n), sum(m) FROM "
        "(SELECT k, sum(v) v, avg(w) w, count(w) n, max(v) m FROM {facts} GROUP BY k)"),
    "nulls-join": lambda rows: mixed(
        "SELECT count(*), sum(v), sum(score) FROM {facts} JOIN {names} ON k = number"),
    "nulls-sort": lambda rows: mixed_sort("w, v, k", ["w"]),
    "keys-group": lambda rows: mixed(
        "SELECT count(*), sum(v), max(n) FROM (SELECT a, b, c, sum(v) v, count(*) n FROM {facts} GROUP BY a, b, c)"),
    "keys-join": lambda rows: mixed("SELECT count(*), sum(number) FROM {facts} JOIN {pairs} USING (a, b)"),
    "keys-sort": lambda rows: mixed_sort("c, a, b, id", ["c", "a", "b", "id"]),
    "strings-group": lambda rows: mixed(
        "SELECT count(*), sum(v), max(n) FROM (SELECT name, sum(v) v, count(*) n FROM {facts} GROUP BY name)"),
    "strings-join": lambda rows: mixed(
        "SELECT count(*), sum(score), sum(number) FROM {facts} JOIN {names} USING (name)"),
    "strings-distinct": lambda rows: str(one(with_tables("SELECT count(*) FROM (SELECT DISTINCT name FROM {facts})"))),
    "strings-sort": lambda rows: mixed_sort("name, id", ["name", "id"]),
    "decimals": decimals,
    "text-functions": lambda rows: mixed(
        "SELECT sum(length(regexp_replace(name, '[0-4]+', '#'))), sum(length(replace(name, '-0', '+++'))), "
        "sum(CAST(split_part(name, '-', 2) AS BIGINT)), sum(length(rpad(t, 12, '.'))), "
        "sum(CASE WHEN upper(name) LIKE '%9%7%' THEN 1 ELSE 0 END) FROM {facts}"),
    "casts": lambda rows: mixed(
        "SELECT sum(length(CAST(v AS VARCHAR))), sum(length(CAST(price AS VARCHAR))), "
        "sum(CAST(floor(CAST(price AS DOUBLE) * 4) AS BIGINT)), sum(CAST(v AS DECIMAL(12, 2))), "
        "sum(length(CAST(day AS VARCHAR))), sum(year(day + INTERVAL 1 MONTH)) FROM {facts}"),
}

peer.main({**MIXED, "small-files": small_files, "csv": csv, "json": json, "range": range_, "start": start, "scan": scan, "read": read, "etl": etl,
           "sort": sort, "shuffle": shuffle, "groupby": groupby, "groupby-mean": groupby_mean, "groupby-high": groupby_high, "join": join, "join-left": join_left,
           "window": window, "window-whole": window_whole, "distinct": distinct, "value-counts": value_counts,
           "approx-distinct": approx_distinct,
           "sort-large": sort_large, "join-large": join_large},
          close_engine=database.close)
