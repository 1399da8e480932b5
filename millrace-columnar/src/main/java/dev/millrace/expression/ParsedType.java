package dev.millrace.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.text.QueryToken;
import dev.millrace.internal.wording.SimilarNames;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The SQL types by name, as used in `CAST`.
final class ParsedType {
    /// The zone of timestamps with a zone that an expression creates.
    private static final String ZONE = "UTC";

    private static final int MAX_PARAMETERS = 2;
    private static final Map<String, DataType> TYPES = types();

    private ParsedType() {}

    private static Map<String, DataType> types() {
        Map<String, DataType> types = new TreeMap<>();
        put(types, DataType.BOOL, "BOOLEAN", "BOOL");
        put(types, DataType.INT8, "TINYINT");
        put(types, DataType.INT16, "SMALLINT");
        put(types, DataType.INT32, "INTEGER", "INT");
        put(types, DataType.INT64, "BIGINT");
        put(types, DataType.UINT8, "UTINYINT");
        put(types, DataType.UINT16, "USMALLINT");
        put(types, DataType.UINT32, "UINTEGER");
        put(types, DataType.UINT64, "UBIGINT");
        put(types, DataType.FLOAT32, "REAL");
        put(types, DataType.FLOAT64, "DOUBLE", "FLOAT");
        put(types, DataType.UTF8, "VARCHAR", "CHAR", "TEXT", "STRING");
        put(types, DataType.BINARY, "VARBINARY", "BLOB");
        put(types, DataType.DATE, "DATE");
        put(types, DataType.time(TimeUnit.MICROSECOND), "TIME");
        put(types, DataType.timestamp(TimeUnit.MICROSECOND), "TIMESTAMP");
        put(types, DataType.timestamp(TimeUnit.MICROSECOND, ZONE), "TIMESTAMPTZ");
        return types;
    }

    private static void put(Map<String, DataType> types, DataType type, String... names) {
        for (String name : names) {
            types.put(name, type);
        }
    }

    static DataType take(TokenCursor cursor) {
        QueryToken token = cursor.peek();
        if (token == null || token.kind() != QueryToken.Kind.WORD) {
            throw cursor.unexpected("a type");
        }
        cursor.take("a type");
        String name = token.text().toUpperCase(Locale.ROOT);
        if (name.equals("DECIMAL") || name.equals("NUMERIC")) {
            return decimal(cursor, token);
        }
        DataType type = TYPES.get(name);
        if (type == null) {
            throw cursor.error(
                    token,
                    "there is no type '" + token.text() + "'." + SimilarNames.suggestion(name, TYPES.keySet())
                            + " The types are " + TYPES.keySet() + " and DECIMAL(digits, digits behind the point).");
        }
        if (name.equals("DOUBLE")) {
            cursor.accepts("PRECISION");
        }
        if (name.equals("TIMESTAMP") && cursor.accepts("WITH", "TIME", "ZONE")) {
            return DataType.timestamp(TimeUnit.MICROSECOND, ZONE);
        }
        if (type.equals(DataType.UTF8)) {
            // A text type has no length: its parameter is ignored.
            parameters(cursor);
        }
        return type;
    }

    private static DataType decimal(TokenCursor cursor, QueryToken token) {
        List<Integer> digits = parameters(cursor);
        if (digits.isEmpty() || digits.size() > MAX_PARAMETERS) {
            throw cursor.error(
                    token, token.text() + " needs its digits and those of them behind the point: DECIMAL(12, 2).");
        }
        try {
            return DataType.decimal(digits.getFirst(), digits.size() == 1 ? 0 : digits.getLast());
        } catch (MillraceException e) {
            throw cursor.error(token, e.getMessage());
        }
    }

    private static List<Integer> parameters(TokenCursor cursor) {
        List<Integer> numbers = new ArrayList<>();
        if (cursor.accepts("(")) {
            do {
                QueryToken number = cursor.take("a number of digits");
                if (number.kind() != QueryToken.Kind.NUMBER || !number.text().matches("[0-9]{1,6}")) {
                    throw cursor.error(number, "'" + number.text() + "' is no number of digits.");
                }
                numbers.add(Integer.parseInt(number.text()));
            } while (cursor.accepts(","));
            cursor.expect(")");
        }
        return numbers;
    }
}
