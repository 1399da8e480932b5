package dev.millrace.internal.sql;

import java.util.List;
import java.util.Random;

/// Random queries over the tables of [SqlOracle], without what the two engines are known to do differently.
final class RandomQuery {
    private final Random random;
    /// Whether the columns of `zones` may be used too.
    private boolean joined;

    RandomQuery(Random random) {
        this.random = random;
    }

    String next() {
        joined = false;
        return switch (random.nextInt(10)) {
            case 6 -> distinctGroups();
            case 7 -> window();
            case 8 -> counted();
            case 9 -> lateral();
            case 0 -> "SELECT id, " + any(3) + ", " + any(3) + " FROM trips WHERE " + condition(3);
            case 1 -> grouped();
            case 2 -> joined();
            case 3 ->
                "SELECT id FROM trips t WHERE " + (random.nextBoolean() ? "" : "NOT ")
                        + "EXISTS (SELECT 1 FROM zones z WHERE z.zone_id = t.zone AND z.name <> " + text(1) + ") AND "
                        + condition(2);
            case 4 ->
                "SELECT id, " + number(2) + " AS n FROM trips WHERE zone "
                        + (random.nextBoolean() ? "" : "NOT ")
                        + "IN (SELECT zone_id FROM zones WHERE zone_id IS NOT NULL"
                        + " AND zone_id > " + random.nextInt(4) + ") OR " + condition(2);
            default ->
                "SELECT id, " + any(2) + " AS v FROM trips WHERE " + condition(2) + " ORDER BY "
                        + pick("zone", "kind", "fare", "small", "paid", "distance")
                        + pick("", " DESC", " NULLS FIRST", " DESC NULLS FIRST") + ", id LIMIT " + random.nextInt(50);
        };
    }

    private String grouped() {
        String key = random.nextBoolean() ? pick("zone", "kind", "paid", "small", "day") : any(2);
        return "SELECT " + key + " AS k, count(*), count(" + any(1) + "), sum(" + number(2) + "), min(" + any(2)
                + "), max(" + any(1) + ") FROM trips WHERE " + condition(2) + " GROUP BY " + key
                + (random.nextBoolean() ? "" : " HAVING count(*) > " + random.nextInt(20));
    }

    private String distinctGroups() {
        String keys = pick("kind", "zone", "paid, zone", "ROLLUP (kind, paid)", "0.25");
        return "SELECT count(*), sum(DISTINCT " + number(1) + "), avg(DISTINCT " + number(0) + "), count(DISTINCT "
                + any(1) + "), sum(DISTINCT " + number(1) + ") FILTER (WHERE " + condition(1) + "), sum(" + number(1)
                + ") FILTER (WHERE " + condition(1) + ") FROM trips WHERE " + condition(2)
                + (random.nextInt(4) == 0 ? "" : " GROUP BY " + keys);
    }

    private String window() {
        boolean days = random.nextInt(3) == 0;
        String key = days ? "day" : pick("small", "zone", "fare", "distance", "id");
        String unit = days ? "INTERVAL '%d' DAY" : pick("%d", "%d.5");
        String from = pick("UNBOUNDED PRECEDING", "CURRENT ROW", unit.formatted(random.nextInt(9)) + " PRECEDING");
        String to = pick("UNBOUNDED FOLLOWING", "CURRENT ROW", unit.formatted(random.nextInt(9)) + " FOLLOWING");
        String over = " OVER (" + pick("", "PARTITION BY kind ", "PARTITION BY paid, zone ") + "ORDER BY " + key
                + pick("", " DESC") + " RANGE BETWEEN " + from + " AND " + to + ")";
        return "SELECT id, count(*)" + over + ", sum(" + pick("small", "fare", "distance") + ")" + over + ", min("
                + pick("fare", "note", "id") + ")" + over + ", max(distance)" + over + " FROM trips WHERE "
                + condition(1);
    }

    private String counted() {
        String columns = pick("kind", "zone", "kind, zone", "small, paid");
        return "SELECT " + columns + " FROM trips WHERE " + condition(1) + pick(" INTERSECT", " EXCEPT", " UNION")
                + pick("", " ALL") + " SELECT " + columns + " FROM trips WHERE " + condition(1);
    }

    private String lateral() {
        boolean left = random.nextBoolean();
        return "SELECT t.id, x.n, x.m FROM trips t" + (left ? " LEFT JOIN LATERAL" : ", LATERAL")
                + " (SELECT count(*) AS n, max(u.fare) AS m FROM trips u WHERE u.zone = t.zone AND u.small"
                + comparison() + "t.small) AS x" + (left ? " ON true" : "");
    }

    private String joined() {
        String kind = pick("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN");
        joined = true;
        String on = "zone = zone_id" + (random.nextBoolean() ? "" : " AND " + condition(1));
        return "SELECT id, zone_id, " + any(2) + " FROM trips " + kind + " zones ON " + on + " WHERE " + condition(2);
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String any(int depth) {
        return switch (random.nextInt(4)) {
            case 0 -> text(depth);
            case 1 -> random.nextInt(3) == 0 ? condition(depth) : date();
            default -> number(depth);
        };
    }

    private String number(int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            String column = pick("id", "zone", "small", "fare", "distance", joined ? "zone_id" : "big");
            return random.nextInt(4) == 0 ? pick("1", "3", "7", "2.5", "0.25") : column;
        }
        String a = number(depth - 1);
        return switch (random.nextInt(9)) {
            case 0 -> "(" + a + " + " + number(depth - 1) + ")";
            case 1 -> "(" + a + " - " + number(depth - 1) + ")";
            case 2 -> "(" + a + " * " + number(0) + ")";
            case 3 -> "(" + a + " / " + pick("2", "4.0", "8") + ")";
            case 4 -> "abs(" + a + ")";
            case 5 -> "coalesce(" + a + ", " + number(0) + ")";
            case 6 -> "CASE WHEN " + condition(depth - 1) + " THEN " + a + " ELSE " + number(depth - 1) + " END";
            case 7 -> "(-" + a + ")";
            default -> "char_length(" + text(depth - 1) + ")";
        };
    }

    private String text(int depth) {
        if (depth == 0 || random.nextInt(3) == 0) {
            String column = pick("kind", "note", joined ? "borough" : "kind", joined ? "name" : "note");
            return random.nextInt(3) == 0 ? pick("'day'", "'x'", "'été'", "''") : column;
        }
        String a = text(depth - 1);
        return switch (random.nextInt(7)) {
            case 0 -> "upper(" + a + ")";
            case 1 -> "lower(" + a + ")";
            case 2 -> "(" + a + " || " + text(depth - 1) + ")";
            case 3 -> "substring(" + a + ", " + (1 + random.nextInt(3)) + ", " + random.nextInt(4) + ")";
            case 4 -> "coalesce(" + a + ", " + text(0) + ")";
            case 5 -> "replace(" + a + ", 'a', 'oo')";
            default -> "CASE WHEN " + condition(depth - 1) + " THEN " + a + " ELSE " + text(depth - 1) + " END";
        };
    }

    private String date() {
        return pick("day", "date '2024-01-20'", "coalesce(day, date '2024-03-01')", "CAST(started AS date)");
    }

    private String condition(int depth) {
        if (depth == 0) {
            return pick("paid", "zone > 2", "kind = 'day'", "fare IS NULL", "distance < 6.5", "true");
        }
        return switch (random.nextInt(10)) {
            case 0 -> "(" + condition(depth - 1) + " AND " + condition(depth - 1) + ")";
            case 1 -> "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")";
            case 2 -> "(NOT " + condition(depth - 1) + ")";
            case 3 -> "(" + number(depth - 1) + comparison() + number(depth - 1) + ")";
            case 4 -> "(" + text(depth - 1) + comparison() + text(depth - 1) + ")";
            case 5 -> "(" + any(depth - 1) + " IS " + pick("", "NOT ") + "NULL)";
            case 6 -> "(" + number(depth - 1) + pick(" BETWEEN ", " NOT BETWEEN ") + "1 AND 20)";
            case 7 -> "(" + pick("zone", "small", "id") + pick(" IN ", " NOT IN ") + "(1, 3, 5, 10))";
            case 8 ->
                "(" + text(depth - 1) + pick(" LIKE ", " NOT LIKE ") + pick("'%a%'", "'d__'", "'_a%'", "'%'") + ")";
            default -> "(" + date() + comparison() + date() + ")";
        };
    }

    private String comparison() {
        List<String> all = List.of(" = ", " <> ", " < ", " <= ", " > ", " >= ", " IS DISTINCT FROM ");
        return all.get(random.nextInt(all.size()));
    }
}
