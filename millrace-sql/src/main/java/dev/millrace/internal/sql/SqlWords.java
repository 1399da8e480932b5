package dev.millrace.internal.sql;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParser;

/// Keywords: those that must be quoted as names, and those that are often misspelt.
final class SqlWords {
    private static final SqlAbstractParserImpl.Metadata GRAMMAR =
            SqlParser.create("").getMetadata();

    /// The words that DuckDB reserves; the standard reserves hundreds more, including `value` and `year`.
    private static final Set<String> RESERVED_BY_DUCKDB = Set.of(
            "ALL",
            "ANALYSE",
            "ANALYZE",
            "AND",
            "ANY",
            "ARRAY",
            "AS",
            "ASC",
            "ASYMMETRIC",
            "BOTH",
            "CASE",
            "CAST",
            "CHECK",
            "COLLATE",
            "COLUMN",
            "CONSTRAINT",
            "CREATE",
            "DEFAULT",
            "DEFERRABLE",
            "DESC",
            "DESCRIBE",
            "DISTINCT",
            "DO",
            "ELSE",
            "END",
            "EXCEPT",
            "FALSE",
            "FETCH",
            "FOR",
            "FOREIGN",
            "FROM",
            "GROUP",
            "HAVING",
            "IN",
            "INITIALLY",
            "INTERSECT",
            "INTO",
            "LAMBDA",
            "LATERAL",
            "LEADING",
            "LIMIT",
            "NOT",
            "NULL",
            "OFFSET",
            "ON",
            "ONLY",
            "OR",
            "ORDER",
            "PIVOT",
            "PLACING",
            "PRIMARY",
            "QUALIFY",
            "REFERENCES",
            "RETURNING",
            "SELECT",
            "SHOW",
            "SOME",
            "SUMMARIZE",
            "SYMMETRIC",
            "TABLE",
            "THEN",
            "TO",
            "TRAILING",
            "TRUE",
            "UNION",
            "UNIQUE",
            "UNPIVOT",
            "USING",
            "VARIADIC",
            "WHEN",
            "WHERE",
            "WINDOW",
            "WITH");

    /// Keywords of clauses.
    static final List<String> CLAUSES = List.of(
            "SELECT",
            "FROM",
            "WHERE",
            "GROUP",
            "ORDER",
            "BY",
            "HAVING",
            "LIMIT",
            "OFFSET",
            "JOIN",
            "LEFT",
            "RIGHT",
            "FULL",
            "INNER",
            "OUTER",
            "CROSS",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "DISTINCT",
            "VALUES",
            "WITH",
            "QUALIFY",
            "WINDOW",
            "PARTITION",
            "OVER",
            "BETWEEN",
            "LIKE",
            "CASE",
            "WHEN",
            "THEN",
            "ELSE",
            "END",
            "EXISTS",
            "USING",
            "CAST",
            "INTERVAL");

    private SqlWords() {}

    static boolean isReserved(String word) {
        return GRAMMAR.isReservedWord(word.toUpperCase(Locale.ROOT));
    }

    /// Whether the grammar requires quotes for a word that DuckDB accepts as a name.
    static boolean isReservedHereOnly(String word) {
        return isReserved(word) && !isReservedByDuckDb(word);
    }

    static boolean isReservedByDuckDb(String word) {
        return RESERVED_BY_DUCKDB.contains(word.toUpperCase(Locale.ROOT));
    }
}
