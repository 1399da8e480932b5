package dev.millrace.internal.sql;

import dev.millrace.internal.sql.RandomExpression.Reference;
import dev.millrace.internal.sql.RandomTables.Column;
import dev.millrace.internal.sql.RandomTables.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Random queries over [RandomTables]: joins of all kinds, groups, windows, set operations, subqueries, in each other.
final class RandomQuery {
    private final Random random;
    private int aliases;

    /// A part of a query that has columns.
    ///
    /// @param key a whole number that is another in each row, or null
    private record Source(String text, List<Reference> columns, String key) {}

    /// A query with its columns, which are `c1`, `c2` and so on, of null kinds where they are not to be used.
    private record Rows(String text, List<Kind> kinds) {}

    RandomQuery(Random random) {
        this.random = random;
    }

    String next() {
        Rows rows = random.nextInt(6) == 0 ? combined(2) : select(2, null);
        String text = rows.text;
        if (random.nextInt(4) == 0) {
            // By all columns, so that rows of equal place are equal.
            List<String> keys = new ArrayList<>();
            for (int i = 1; i <= rows.kinds.size(); i++) {
                keys.add(i + pick("", " DESC", " NULLS FIRST", " DESC NULLS FIRST"));
            }
            text = (random.nextInt(3) == 0 && text.startsWith("SELECT") ? "SELECT * FROM (" + text + ") AS o" : text)
                    + " ORDER BY " + String.join(", ", keys)
                    + (random.nextInt(3) == 0 ? "" : " LIMIT " + random.nextInt(12))
                    + (random.nextInt(3) == 0 ? " OFFSET " + random.nextInt(5) : "");
        }
        if (random.nextInt(10) == 0) {
            Rows named = select(1, null);
            String all = "WITH w AS (" + named.text + ") ";
            return all + "SELECT x.c1, y.c1 FROM w x LEFT JOIN w y ON x.c1 = y.c1 WHERE EXISTS (" + text + ")";
        }
        return text;
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String alias() {
        return "t" + ++aliases;
    }

    private RandomExpression over(List<Reference> scope) {
        return new RandomExpression(random, scope);
    }

    private Kind kind() {
        return Kind.values()[random.nextInt(Kind.values().length)];
    }

    private List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            kinds.add(kind());
        }
        return kinds;
    }

    /// Two selects of the same kinds as one.
    private Rows combined(int depth) {
        List<Kind> kinds = kinds();
        String text = select(depth - 1, kinds).text;
        int more = 1 + random.nextInt(2);
        for (int i = 0; i < more; i++) {
            text += pick(" UNION", " UNION ALL", " INTERSECT", " INTERSECT ALL", " EXCEPT", " EXCEPT ALL") + " "
                    + select(depth - 1, kinds).text;
            if (i + 1 < more) {
                text = "SELECT * FROM (" + text + ") AS " + alias();
            }
        }
        return new Rows(text, kinds);
    }

    /// @param kinds of the columns; null for any
    private Rows select(int depth, List<Kind> kinds) {
        List<Kind> wanted = kinds == null ? kinds() : kinds;
        Source from = source(depth);
        return switch (random.nextInt(5)) {
            case 0, 1 -> plain(from, wanted, depth);
            case 2, 3 -> grouped(from, wanted, depth);
            default -> kinds == null && from.key != null ? windows(from) : plain(from, wanted, depth);
        };
    }

    private String where(Source from, int depth) {
        return switch (random.nextInt(4)) {
            case 0 -> "";
            case 1 -> " WHERE " + subquery(from, depth);
            default -> " WHERE " + over(from.columns).truth(2);
        };
    }

    private Rows plain(Source from, List<Kind> kinds, int depth) {
        List<String> columns = new ArrayList<>();
        for (Kind kind : kinds) {
            String value = random.nextInt(8) == 0 && depth > 0
                    ? scalar(from, kind)
                    : over(from.columns).of(kind, 1 + random.nextInt(3));
            columns.add(value + " AS c" + (columns.size() + 1));
        }
        return new Rows(
                "SELECT " + pick("", "", "DISTINCT ") + String.join(", ", columns) + " FROM " + from.text
                        + where(from, depth),
                kinds);
    }

    private Rows grouped(Source from, List<Kind> kinds, int depth) {
        RandomExpression values = over(from.columns);
        List<String> keys = new ArrayList<>();
        List<String> columns = new ArrayList<>();
        boolean all = random.nextInt(5) == 0;
        for (Kind kind : kinds) {
            String name = " AS c" + (columns.size() + 1);
            if (!all && (random.nextBoolean() || kind == Kind.DATE && random.nextBoolean())) {
                String key = random.nextBoolean() ? values.column(kind) : values.of(kind, 2);
                keys.add(random.nextInt(4) == 0 ? "" + (columns.size() + 1) : key);
                columns.add(key + name);
            } else {
                columns.add(aggregate(values, kind) + name);
            }
        }
        boolean sets = keys.size() == 2
                && keys.stream().allMatch(key -> key.matches(".*t[0-9]+[.].*"))
                && random.nextInt(3) == 0;
        String list = String.join(", ", keys);
        String group = keys.isEmpty() ? "" : " GROUP BY " + (sets ? pick("ROLLUP", "CUBE") + " (" + list + ")" : list);
        String having = keys.isEmpty() || random.nextInt(3) > 0
                ? ""
                : " HAVING " + aggregate(values, Kind.WHOLE) + values.comparison() + random.nextInt(5);
        return new Rows(
                "SELECT " + String.join(", ", columns) + " FROM " + from.text + where(from, depth) + group + having,
                kinds);
    }

    private String aggregate(RandomExpression values, Kind kind) {
        String filter = random.nextInt(6) == 0 ? " FILTER (WHERE " + values.truth(1) + ")" : "";
        String distinct = random.nextInt(5) == 0 ? "DISTINCT " : "";
        String call = switch (kind) {
            case WHOLE ->
                switch (random.nextInt(5)) {
                    case 0 -> "count(*)";
                    case 1 -> "count(" + distinct + values.of(values.kind(), 1) + ")";
                    case 2 -> "sum(" + distinct + values.of(Kind.WHOLE, 1) + ")";
                    default -> pick("min(", "max(") + values.of(Kind.WHOLE, 1) + ")";
                };
            case DECIMAL -> pick("sum(" + distinct, "min(", "max(") + values.column(Kind.DECIMAL) + ")";
            case REAL ->
                pick("sum(", "avg(", "min(", "max(", "median(")
                        + (random.nextBoolean() ? values.column(Kind.REAL) : values.column(Kind.WHOLE) + " / 4") + ")";
            case TRUTH -> pick("bool_and(", "bool_or(", "min(", "max(") + values.of(Kind.TRUTH, 1) + ")";
            case TEXT, DATE, TIME -> pick("min(", "max(") + values.of(kind, 1) + ")";
        };
        return call + filter;
    }

    /// Functions over windows of rows that have a key, so that their order is known.
    private Rows windows(Source from) {
        RandomExpression values = over(from.columns);
        String partition =
                pick("", "PARTITION BY " + values.column(kind()) + " ", "PARTITION BY " + values.of(kind(), 1) + " ");
        String peers = values.of(kind(), 1) + pick("", " DESC", " NULLS FIRST", " DESC NULLS FIRST");
        String unique = pick("", peers + ", ") + from.key + pick("", " DESC");
        String rows = pick(
                "",
                " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
                " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW",
                " ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
                " ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING",
                " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING");
        String number = values.column(values.number());
        boolean days = random.nextInt(3) == 0;
        String distance = days ? "INTERVAL '" + random.nextInt(9) + "' DAY" : pick("1", "2.5", "0");
        String key = days ? values.column(Kind.DATE) : values.column(values.number());
        String range = " OVER (" + partition + "ORDER BY " + key + pick("", " DESC") + " RANGE BETWEEN "
                + pick("UNBOUNDED PRECEDING", distance + " PRECEDING", "CURRENT ROW") + " AND "
                + pick("UNBOUNDED FOLLOWING", distance + " FOLLOWING", "CURRENT ROW") + ")";
        String over = " OVER (" + partition + "ORDER BY " + unique + rows + ")";
        String ranked = " OVER (" + partition + "ORDER BY " + peers + ")";
        List<String> columns = List.of(
                pick("sum(", "avg(", "min(", "max(", "count(") + number + ")" + over,
                pick("min(", "max(", "count(") + values.of(kind(), 1) + ")"
                        + pick(over, ranked, " OVER (" + partition + ")"),
                pick("rank()", "dense_rank()", "percent_rank()", "cume_dist()", "count(*)", "sum(" + number + ")")
                        + ranked,
                pick("first_value(", "last_value(") + values.column(kind()) + ")" + over,
                "row_number() OVER (" + partition + "ORDER BY " + unique + ")",
                pick("lag(", "lead(") + values.of(kind(), 1) + pick("", ", 2") + ") OVER (" + partition + "ORDER BY "
                        + unique + ")",
                "ntile(3) OVER (" + partition + "ORDER BY " + unique + ")",
                pick("sum(", "count(", "min(", "max(") + number + ")" + range);
        String first = columns.get(random.nextInt(columns.size()));
        String second = columns.get(random.nextInt(columns.size()));
        return new Rows(
                "SELECT " + from.key + " AS c1, " + first + " AS c2, " + second + " AS c3 FROM " + from.text
                        + where(from, 0),
                Arrays.asList(Kind.WHOLE, null, null));
    }

    private Source table() {
        String table = RandomTables.NAMES.get(random.nextInt(RandomTables.NAMES.size()));
        String alias = alias();
        List<Reference> columns = new ArrayList<>();
        for (Column column : RandomTables.COLUMNS) {
            columns.add(new Reference(alias + "." + table + "_" + column.name(), column.kind()));
        }
        return new Source(table + " " + alias, columns, alias + "." + table + "_id");
    }

    private Source source(int depth) {
        if (depth > 0 && random.nextInt(7) == 0) {
            return derived(depth);
        }
        if (depth > 0 && random.nextInt(3) == 0) {
            return joined(source(depth - 1), random.nextInt(4) == 0 ? derived(depth - 1) : table());
        }
        return table();
    }

    private Source derived(int depth) {
        Rows rows = depth > 0 && random.nextInt(4) == 0 ? combined(depth) : select(Math.max(0, depth - 1), null);
        String alias = alias();
        List<Reference> columns = new ArrayList<>();
        for (int i = 0; i < rows.kinds.size(); i++) {
            if (rows.kinds.get(i) != null) {
                columns.add(new Reference(alias + ".c" + (i + 1), rows.kinds.get(i)));
            }
        }
        return new Source("(" + rows.text + ") AS " + alias, columns, null);
    }

    private Source joined(Source left, Source right) {
        List<Reference> both = new ArrayList<>(left.columns);
        both.addAll(right.columns);
        boolean keys = left.key != null && right.key != null;
        String key = keys ? "coalesce(" + left.key + ", -1) * 1000 + coalesce(" + right.key + ", -1)" : null;
        String kind = pick("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "JOIN", "LEFT JOIN");
        if (random.nextInt(12) == 0) {
            return new Source(left.text + " CROSS JOIN " + right.text, both, key);
        }
        List<String> conditions = new ArrayList<>();
        int equalities = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(2);
        for (int i = 0; i < equalities; i++) {
            Kind of = kind();
            boolean plain = random.nextInt(4) > 0;
            RandomExpression first = over(left.columns);
            RandomExpression second = over(right.columns);
            conditions.add((plain ? first.column(of) : first.of(of, 1))
                    + pick(" = ", " = ", " = ", " IS NOT DISTINCT FROM ")
                    + (plain ? second.column(of) : second.of(of, 1)));
        }
        if (equalities == 0 || random.nextInt(4) == 0) {
            conditions.add(over(both).truth(1));
        }
        String text = left.text + " " + kind + " " + right.text + " ON " + String.join(" AND ", conditions);
        return new Source(text, both, key);
    }

    /// A condition with a subquery, correlated or not.
    private String subquery(Source from, int depth) {
        Source inner = depth > 0 && random.nextInt(4) == 0 ? joined(table(), table()) : table();
        String where = correlated(from, inner);
        Kind kind = kind();
        RandomExpression outside = over(from.columns);
        RandomExpression inside = over(inner.columns);
        String condition = switch (random.nextInt(5)) {
            case 0, 1 -> pick("", "NOT ") + "EXISTS (SELECT 1 FROM " + inner.text + where + ")";
            case 2 ->
                outside.of(kind, 1) + pick(" IN ", " NOT IN ") + "(SELECT " + inside.of(kind, 1) + " FROM " + inner.text
                        + (random.nextInt(3) == 0 ? where : plainWhere(inner)) + ")";
            case 3 ->
                outside.of(Kind.WHOLE, 1) + outside.comparison() + "(SELECT "
                        + pick(
                                "count(*)",
                                "count(" + inside.of(kind, 1) + ")",
                                "sum(" + inside.column(Kind.WHOLE) + ")")
                        + " FROM " + inner.text + where + ")";
            default -> outside.of(kind, 1) + outside.comparison() + scalarText(inner, kind, where);
        };
        return random.nextInt(3) == 0 ? "(" + condition + pick(" AND ", " OR ") + outside.truth(1) + ")" : condition;
    }

    private String plainWhere(Source inner) {
        return random.nextBoolean() ? "" : " WHERE " + over(inner.columns).truth(1);
    }

    private String correlated(Source from, Source inner) {
        if (random.nextInt(4) == 0) {
            return plainWhere(inner);
        }
        Kind kind = kind();
        String condition = over(inner.columns).column(kind)
                + pick(" = ", " = ", " = ", " < ")
                + over(from.columns).column(kind);
        return " WHERE " + condition
                + (random.nextInt(3) == 0 ? " AND " + over(inner.columns).truth(1) : "");
    }

    /// A subquery of one value.
    private String scalar(Source from, Kind kind) {
        Source inner = table();
        return scalarText(inner, kind, correlated(from, inner));
    }

    private String scalarText(Source inner, Kind kind, String where) {
        return "(SELECT " + pick("min(", "max(") + over(inner.columns).of(kind, 1) + ") FROM " + inner.text + where
                + ")";
    }
}
