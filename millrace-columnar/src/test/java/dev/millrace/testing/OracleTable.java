package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/// Random rows that DuckDB and we can both have: `id` counts from 0, then columns `k0`, `k1` and so on with few or many
/// different values, nulls, NaN, both zeros, skew, wide and odd strings. Blocks are cut anywhere, some are empty.
public final class OracleTable {
    private static final List<DataType> TYPES = List.of(
            DataType.BOOL,
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.FLOAT64,
            DataType.decimal(12, 2),
            DataType.decimal(38, 4),
            DataType.DATE,
            DataType.timestamp(TimeUnit.MICROSECOND),
            DataType.UTF8,
            DataType.UTF8,
            DataType.dictionary(DataType.UTF8));

    private final Random random;
    private final Schema schema;
    private final List<Object[]> rows = new ArrayList<>();

    /// @param mostRows at most
    public OracleTable(Random random, int mostRows) {
        this(random, randomSchema(random), random.nextInt(6) == 0 ? random.nextInt(3) : random.nextInt(mostRows + 1));
    }

    /// Rows of `id` and of columns of these types.
    public OracleTable(Random random, Schema schema, int count) {
        this.random = random;
        this.schema = schema;
        List<List<Object>> values = new ArrayList<>();
        for (Field field : schema.fields()) {
            values.add(pool(field.type()));
        }
        int nulls = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(5);
        for (long id = 0; id < count; id++) {
            Object[] row = new Object[schema.size()];
            row[0] = id;
            for (int i = 1; i < row.length; i++) {
                List<Object> pool = values.get(i);
                boolean skewed = random.nextInt(3) == 0;
                row[i] = nulls > 0 && random.nextInt(10) < nulls && random.nextInt(2) == 0
                        ? null
                        : pool.get(skewed ? 0 : random.nextInt(pool.size()));
            }
            rows.add(row);
        }
    }

    private static Schema randomSchema(Random random) {
        List<Field> fields = new ArrayList<>(List.of(new Field("id", DataType.INT64)));
        int keys = 1 + random.nextInt(4);
        for (int i = 0; i < keys; i++) {
            fields.add(new Field("k" + i, TYPES.get(random.nextInt(TYPES.size()))));
        }
        return Schema.of(fields);
    }

    public Schema schema() {
        return schema;
    }

    public List<Object[]> rows() {
        return rows;
    }

    /// The keys' names.
    public List<String> keys() {
        return schema.names().subList(1, schema.size());
    }

    /// The values that a column has, a few or many of them.
    private List<Object> pool(DataType type) {
        int size = random.nextBoolean() ? 1 + random.nextInt(4) : 1 + random.nextInt(200);
        List<Object> pool = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            pool.add(value(type));
        }
        return pool;
    }

    private Object value(DataType type) {
        return switch (type) {
            case DataType.Bool _ -> random.nextBoolean();
            case DataType.Int integer -> integer(integer);
            case DataType.Float real -> real.bits() == 32 ? (Object) (float) real(true) : (Object) real(false);
            case DataType.Decimal decimal ->
                new BigDecimal(
                        new BigInteger(random.nextInt(decimal.precision() > 18 ? 110 : 35), random)
                                .multiply(BigInteger.valueOf(random.nextBoolean() ? 1 : -1)),
                        decimal.scale());
            case DataType.Date _ -> LocalDate.ofEpochDay(random.nextInt(-60_000, 60_000));
            case DataType.Timestamp _ ->
                LocalDateTime.of(1970, 1, 1, 0, 0)
                        .plusSeconds(random.nextInt())
                        .plusNanos(1000L * random.nextInt(1_000_000));
            case DataType.Utf8 _ -> text();
            case DataType.Dictionary _ -> text();
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    private Object integer(DataType.Int type) {
        BigInteger least =
                type.signed() ? BigInteger.ONE.shiftLeft(type.bits() - 1).negate() : BigInteger.ZERO;
        BigInteger most = BigInteger.ONE
                .shiftLeft(type.signed() ? type.bits() - 1 : type.bits())
                .subtract(BigInteger.ONE);
        BigInteger value = switch (random.nextInt(6)) {
            case 0 -> least;
            case 1 -> most;
            case 2 -> BigInteger.ZERO;
            default ->
                new BigInteger(type.bits() - 1, random)
                        .multiply(BigInteger.valueOf(type.signed() && random.nextBoolean() ? -1 : 1));
        };
        return type.signed() || type.bits() < 64 ? (Object) value.longValueExact() : value;
    }

    private double real(boolean single) {
        return switch (random.nextInt(10)) {
            case 0 -> Double.NaN;
            case 1 -> 0.0;
            case 2 -> -0.0;
            case 3 -> Double.POSITIVE_INFINITY;
            case 4 -> Double.NEGATIVE_INFINITY;
            case 5 -> random.nextInt(-5, 5);
            default ->
                single ? (float) random.nextGaussian() : random.nextGaussian() * Math.pow(10, random.nextInt(-9, 9));
        };
    }

    private String text() {
        return switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> "a".repeat(random.nextInt(40));
            case 2 -> "prefix-that-is-the-same-" + random.nextInt(30);
            case 3 -> "é".repeat(random.nextInt(4)) + (char) ('a' + random.nextInt(3));
            case 4 -> "\uD83D\uDE00" + random.nextInt(3);
            case 5 -> "wide " + "x".repeat(200 + random.nextInt(3)) + random.nextInt(3);
            default -> Integer.toString(random.nextInt(500));
        };
    }

    /// The rows in blocks, cut by chance, at least one; the caller closes them.
    public List<Block> blocks(Allocator allocator) {
        List<Block> blocks = new ArrayList<>();
        int from = 0;
        int mostRows = 1 + random.nextInt(rows.size() + 1);
        do {
            int count = random.nextInt(5) == 0 ? 0 : Math.min(rows.size() - from, random.nextInt(mostRows + 1));
            try (BlockBuilder builder = new BlockBuilder(allocator, schema, count)) {
                rows.subList(from, from + count).forEach(builder::append);
                blocks.add(builder.build());
            }
            from += count;
        } while (from < rows.size());
        return blocks;
    }

    /// Makes and fills a table in DuckDB.
    public void load(Connection duck, String table) throws SQLException {
        try (Statement statement = duck.createStatement()) {
            statement.execute("create or replace table " + table + " ("
                    + schema.fields().stream()
                            .map(field -> field.name() + " " + sqlType(field.type()))
                            .collect(Collectors.joining(", "))
                    + ")");
            if (!rows.isEmpty()) {
                statement.execute("insert into " + table + " values "
                        + rows.stream()
                                .map(row -> Arrays.stream(row)
                                        .map(OracleTable::literal)
                                        .collect(Collectors.joining(",", "(", ")")))
                                .collect(Collectors.joining(",")));
            }
        }
    }

    private static String literal(Object value) {
        return value == null ? "null" : "'" + value.toString().replace("'", "''") + "'";
    }

    public static String sqlType(DataType type) {
        return switch (type) {
            case DataType.Bool _ -> "boolean";
            case DataType.Int integer ->
                (integer.signed() ? "" : "u")
                        + switch (integer.bits()) {
                            case 8 -> "tinyint";
                            case 16 -> "smallint";
                            case 32 -> "integer";
                            default -> "bigint";
                        };
            case DataType.Float real -> real.bits() == 32 ? "float" : "double";
            case DataType.Decimal decimal -> "decimal(" + decimal.precision() + "," + decimal.scale() + ")";
            case DataType.Date _ -> "date";
            case DataType.Timestamp _ -> "timestamp";
            case DataType.Utf8 _, DataType.Dictionary _ -> "varchar";
            default -> throw new IllegalArgumentException(type.toString());
        };
    }
}
