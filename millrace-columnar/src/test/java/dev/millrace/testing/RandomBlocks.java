package dev.millrace.testing;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.Tensor;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/// Blocks of random schemas and values for property tests; the same seed makes the same blocks.
public final class RandomBlocks {
    private static final List<DataType> PLAIN = List.of(
            DataType.NULL,
            DataType.BOOL,
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.decimal(12, 3),
            DataType.DATE,
            DataType.time(TimeUnit.SECOND),
            DataType.time(TimeUnit.NANOSECOND),
            DataType.timestamp(TimeUnit.MICROSECOND),
            DataType.timestamp(TimeUnit.MILLISECOND, "Europe/Berlin"),
            DataType.duration(TimeUnit.NANOSECOND),
            DataType.UTF8,
            DataType.BINARY);

    private final Random random;

    public RandomBlocks(long seed) {
        this.random = new Random(seed);
    }

    /// One to six columns named c0, c1 and so on.
    public Schema schema() {
        List<Field> fields = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            fields.add(new Field("c" + i, type(2)));
        }
        return Schema.of(fields);
    }

    /// A type nested at most `depth` times.
    public DataType type(int depth) {
        int pick = random.nextInt(depth > 0 ? PLAIN.size() + 12 : PLAIN.size());
        if (pick < PLAIN.size()) {
            return PLAIN.get(pick);
        }
        return switch (pick - PLAIN.size()) {
            case 0, 1 -> DataType.list(type(depth - 1));
            case 2 -> DataType.fixedList(type(depth - 1), random.nextInt(4));
            case 3, 4 -> DataType.struct(new Field("a", type(depth - 1)), new Field("b", type(depth - 1)));
            case 5, 6 -> DataType.map(DataType.UTF8, type(depth - 1));
            case 7, 8 -> DataType.dictionary(random.nextBoolean() ? DataType.UTF8 : DataType.INT64);
            case 9, 10 -> DataType.tensor(random.nextBoolean() ? DataType.FLOAT32 : DataType.INT32, 2, 3);
            default -> DataType.variableTensor(DataType.FLOAT32, 2);
        };
    }

    public Block block(Schema schema, int rows, Allocator allocator) {
        List<Column> columns = new ArrayList<>();
        for (Field field : schema.fields()) {
            columns.add(column(field.type(), rows, allocator));
        }
        return Block.of(schema, columns, rows);
    }

    /// A column without nulls, or with some, or with nothing else.
    public Column column(DataType type, int rows, Allocator allocator) {
        double nulls = List.of(0.0, 0.0, 0.3, 1.0).get(random.nextInt(4));
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add(random.nextDouble() < nulls ? null : value(type));
        }
        return Columns.of(allocator, type, values);
    }

    private Object value(DataType type) {
        return switch (type) {
            case DataType.Null _ -> null;
            case DataType.Bool _ -> random.nextBoolean();
            case DataType.Int(int bits, boolean signed) -> integer(bits, signed);
            case DataType.Float(int bits) -> bits == 32 ? (Object) random.nextFloat() : (Object) random.nextGaussian();
            case DataType.Decimal(int _, int scale) -> BigDecimal.valueOf(random.nextInt(), scale);
            case DataType.Date _ -> LocalDate.ofEpochDay(random.nextInt(-40_000, 40_000));
            case DataType.Time _ -> LocalTime.ofSecondOfDay(random.nextInt(86_400));
            case DataType.Timestamp(TimeUnit _, String zone) -> {
                LocalDateTime time = LocalDateTime.ofEpochSecond(random.nextInt(), 0, ZoneOffset.UTC);
                yield zone == null ? time : time.atZone(ZoneOffset.UTC).withZoneSameInstant(ZoneId.of(zone));
            }
            case DataType.Duration _ -> Duration.ofSeconds(random.nextInt(), random.nextInt(1_000_000_000));
            case DataType.Utf8 _ -> text();
            case DataType.Binary _ -> {
                byte[] bytes = new byte[random.nextInt(20)];
                random.nextBytes(bytes);
                yield bytes;
            }
            case DataType.ListOf(DataType element) -> values(element, random.nextInt(5));
            case DataType.FixedList(DataType element, int size) -> values(element, size);
            case DataType.Struct(List<Field> fields) -> {
                Map<String, Object> struct = new LinkedHashMap<>();
                fields.forEach(field -> struct.put(field.name(), maybe(field.type())));
                yield struct;
            }
            case DataType.MapOf(DataType key, DataType item) -> {
                Map<Object, Object> map = new LinkedHashMap<>();
                IntStream.range(0, random.nextInt(4)).forEach(_ -> map.put(value(key), maybe(item)));
                yield map;
            }
            case DataType.Dictionary(DataType.Int _, DataType item, boolean _) ->
                item instanceof DataType.Utf8 ? "word " + random.nextInt(5) : (Object) (long) random.nextInt(5);
            case DataType.Tensor(DataType element, List<Integer> shape) ->
                tensor(element, shape.stream().mapToInt(Integer::intValue).toArray());
            case DataType.VariableTensor(DataType element, int dimensions) ->
                tensor(element, random.ints(dimensions, 0, 4).toArray());
        };
    }

    private Object integer(int bits, boolean signed) {
        BigInteger value = new BigInteger(bits, random);
        return signed ? value.subtract(BigInteger.ONE.shiftLeft(bits - 1)).longValue() : value;
    }

    private Tensor tensor(DataType element, int[] shape) {
        int elements = IntStream.of(shape).reduce(1, Math::multiplyExact);
        if (element.equals(DataType.INT32)) {
            return Tensor.of(random.ints(elements).toArray(), shape);
        }
        float[] values = new float[elements];
        for (int i = 0; i < elements; i++) {
            values[i] = random.nextFloat();
        }
        return Tensor.of(values, shape);
    }

    private List<Object> values(DataType element, int count) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(maybe(element));
        }
        return values;
    }

    private Object maybe(DataType type) {
        return random.nextInt(4) == 0 ? null : value(type);
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(25);
        for (int i = 0; i < length; i++) {
            text.append(List.of("a", "b", "ü", "日", "𝄞").get(random.nextInt(5)));
        }
        return text.toString();
    }
}
