package dev.millrace.column;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Random types, and random Java values of a type, in the classes that [Column#value] gives back.
public final class RandomValues {
    private static final List<DataType> FLAT = List.of(
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
            DataType.FLOAT16,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.DATE,
            DataType.UTF8,
            DataType.BINARY,
            DataType.decimal(38, 5),
            DataType.decimal(7, 2),
            DataType.time(TimeUnit.SECOND),
            DataType.time(TimeUnit.NANOSECOND),
            DataType.timestamp(TimeUnit.MILLISECOND),
            DataType.timestamp(TimeUnit.NANOSECOND),
            DataType.timestamp(TimeUnit.MICROSECOND, "Europe/Berlin"),
            DataType.duration(TimeUnit.MILLISECOND),
            DataType.tensor(DataType.FLOAT32, 2, 3),
            DataType.tensor(DataType.UINT8, 3),
            DataType.variableTensor(DataType.INT16, 2));

    private static final String[] PIECES = {
        "", "a", "plain", "é", "日本", "\uD83D\uDE00", "\0", "x".repeat(50), "0123456789"
    };

    private final Random random;

    public RandomValues(Random random) {
        this.random = random;
    }

    /// Every flat type once, and one of each nested kind.
    public static List<DataType> types() {
        List<DataType> all = new ArrayList<>(FLAT);
        all.add(DataType.list(DataType.UTF8));
        all.add(DataType.list(DataType.list(DataType.INT32)));
        all.add(DataType.fixedList(DataType.FLOAT64, 3));
        all.add(DataType.map(DataType.UTF8, DataType.INT64));
        all.add(DataType.struct(new Field("a", DataType.INT32), new Field("b", DataType.list(DataType.BOOL))));
        all.add(DataType.dictionary(DataType.UTF8));
        all.add(new DataType.Dictionary(DataType.UINT8, DataType.INT64, false));
        return all;
    }

    public DataType type(int depth) {
        if (depth == 0 || random.nextInt(3) == 0) {
            return FLAT.get(random.nextInt(FLAT.size()));
        }
        return switch (random.nextInt(5)) {
            case 0 -> DataType.list(type(depth - 1));
            case 1 -> DataType.fixedList(type(depth - 1), random.nextInt(3));
            case 2 -> DataType.map(random.nextBoolean() ? DataType.UTF8 : DataType.INT32, type(depth - 1));
            case 3 -> DataType.struct(new Field("a", type(depth - 1)), new Field("b", type(depth - 1)));
            default ->
                new DataType.Dictionary(DataType.INT16, random.nextBoolean() ? DataType.UTF8 : DataType.INT64, false);
        };
    }

    /// `count` values, about a fifth of them null if `nullable`.
    public List<Object> values(DataType type, int count, boolean nullable) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(nullable && random.nextInt(5) == 0 ? null : value(type));
        }
        return values;
    }

    /// A column of `values`; often a slice of a slice of a longer one.
    public Column column(Allocator allocator, DataType type, List<Object> values) {
        if (random.nextBoolean()) {
            return Columns.of(allocator, type, values);
        }
        int before = random.nextInt(20);
        int after = random.nextInt(20);
        List<Object> longer = new ArrayList<>(values(type, before, random.nextBoolean()));
        longer.addAll(values);
        longer.addAll(values(type, after, random.nextBoolean()));
        int first = random.nextInt(before + 1);
        return Columns.of(allocator, type, longer)
                .slice(first, longer.size() - first)
                .slice(before - first, values.size());
    }

    public Object value(DataType type) {
        return switch (type) {
            case DataType.Null _ -> null;
            case DataType.Bool _ -> random.nextBoolean();
            case DataType.Int integer -> integer(integer);
            case DataType.Float real ->
                switch (real.bits()) {
                    case 16 -> (random.nextInt(2000) - 1000) / 4f;
                    case 32 -> random.nextFloat();
                    default -> random.nextDouble();
                };
            case DataType.Decimal decimal ->
                new BigDecimal(
                        new BigInteger(decimal.precision() * 3, random)
                                .multiply(BigInteger.valueOf(random.nextBoolean() ? 1 : -1)),
                        decimal.scale());
            case DataType.Date _ -> LocalDate.ofEpochDay(random.nextInt(60_000) - 30_000);
            case DataType.Time time ->
                LocalTime.ofSecondOfDay(random.nextInt(86_400)).plusNanos(fraction(time.unit()));
            case DataType.Timestamp stamp -> {
                Instant instant = Instant.ofEpochSecond(random.nextInt(), fraction(stamp.unit()));
                yield stamp.zone() == null
                        ? (Object) LocalDateTime.ofInstant(instant, ZoneOffset.UTC)
                        : instant.atZone(ZoneId.of(stamp.zone()));
            }
            case DataType.Duration duration -> Duration.ofSeconds(random.nextInt(), fraction(duration.unit()));
            case DataType.Utf8 _ -> PIECES[random.nextInt(PIECES.length)] + PIECES[random.nextInt(PIECES.length)];
            case DataType.Binary _ -> {
                byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? 200 : 12)];
                random.nextBytes(bytes);
                yield bytes;
            }
            case DataType.ListOf list -> values(list.element(), random.nextInt(5), true);
            case DataType.FixedList list -> values(list.element(), list.size(), true);
            case DataType.Struct struct -> {
                Map<String, Object> map = new LinkedHashMap<>();
                struct.fields().forEach(field -> map.put(field.name(), value(field.type())));
                yield map;
            }
            case DataType.MapOf map -> {
                Map<Object, Object> entries = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    entries.put(value(map.key()), value(map.value()));
                }
                yield entries;
            }
            case DataType.Dictionary dictionary ->
                switch (dictionary.value()) {
                    case DataType.Utf8 _ -> PIECES[random.nextInt(PIECES.length)];
                    case DataType.Int _ -> (long) random.nextInt(10);
                    default -> value(dictionary.value());
                };
            case DataType.Tensor tensor -> tensor(tensor.element(), Tensor.shapeOf(tensor));
            case DataType.VariableTensor tensor -> {
                int[] shape = random.ints(tensor.dimensions(), 0, 4).toArray();
                yield tensor(tensor.element(), shape);
            }
        };
    }

    private Object integer(DataType.Int type) {
        long bits = random.nextLong() >>> random.nextInt(64);
        bits = type.signed() && random.nextBoolean() ? -bits : bits;
        return switch (type.bits()) {
            case 8 -> JavaValues.ofByte(type, (byte) bits);
            case 16 -> JavaValues.ofShort(type, (short) bits);
            case 32 -> JavaValues.ofInt(type, (int) bits);
            default -> JavaValues.ofLong(type, bits);
        };
    }

    private Tensor tensor(DataType element, int[] shape) {
        byte[] bytes = new byte[Arrays.stream(shape).reduce(1, (a, b) -> a * b) * Tensor.elementWidth(element)];
        random.nextBytes(bytes);
        return Tensor.copyOf(element, shape, MemorySegment.ofArray(bytes));
    }

    private int fraction(TimeUnit unit) {
        return (int) (random.nextLong(unit.perSecond()) * (1_000_000_000L / unit.perSecond()));
    }

    /// The values of a column, comparable: byte arrays as buffers, which compare by content.
    public static List<Object> valuesOf(Column column) {
        List<Object> values = new ArrayList<>();
        for (long i = 0; i < column.length(); i++) {
            values.add(column.value(i));
        }
        return comparable(values);
    }

    public static List<Object> comparable(List<?> values) {
        List<Object> comparable = new ArrayList<>();
        for (Object value : values) {
            comparable.add(comparable(value));
        }
        return comparable;
    }

    private static Object comparable(Object value) {
        return switch (value) {
            case byte[] bytes -> ByteBuffer.wrap(bytes);
            case List<?> list -> comparable(list);
            case Map<?, ?> map -> {
                Map<Object, Object> copy = new LinkedHashMap<>();
                map.forEach((key, item) -> copy.put(comparable(key), comparable(item)));
                yield copy;
            }
            case null -> null;
            default -> value;
        };
    }
}
