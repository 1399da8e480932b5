package dev.millrace.internal.kernel.window;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.column.RandomValues;
import dev.millrace.relation.SortKey;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import dev.millrace.type.Types;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;

/// A window over random rows: `p0` and so on are what partitions may go by, `o0` and so on the order, `v` is looked at.
final class RandomWindow {
    static final List<DataType> NUMBERS = List.of(
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
            DataType.decimal(9, 2),
            DataType.decimal(38, 4));
    private static final List<DataType> DISTANT = List.of(
            DataType.INT8,
            DataType.UINT16,
            DataType.INT32,
            DataType.INT64,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.decimal(12, 2),
            DataType.DATE,
            DataType.time(TimeUnit.SECOND),
            DataType.timestamp(TimeUnit.SECOND),
            DataType.timestamp(TimeUnit.NANOSECOND),
            DataType.timestamp(TimeUnit.MILLISECOND, "Europe/Berlin"));

    final RandomCase chance;
    final Window window;
    final List<Field> fields = new ArrayList<>();
    final List<List<Object>> columns = new ArrayList<>();

    /// @param looked the type of `v`
    /// @param small whether numbers of `v` are near zero
    RandomWindow(RandomCase chance, boolean whole, DataType looked, boolean small) {
        this.chance = chance;
        List<String> keys = new ArrayList<>();
        for (int i = whole ? 0 : chance.random().nextInt(3); i > 0; i--) {
            keys.add(add(
                    "p" + i, chance.oneOf(RandomValues.types()), chance.random().nextBoolean()));
        }
        List<SortKey> order = new ArrayList<>();
        List<DataType> ordered =
                RandomValues.types().stream().filter(Types::hasOrder).toList();
        for (int i = chance.random().nextInt(3); i > 0; i--) {
            String name = add("o" + i, chance.oneOf(ordered), chance.random().nextBoolean());
            order.add(new SortKey(name, chance.random().nextBoolean()));
        }
        this.window = new Window(keys, order);
        add("v", looked, small);
        tell();
    }

    /// One order key with distances between its values.
    static RandomWindow ofDistances(RandomCase chance) {
        return new RandomWindow(chance, chance.oneOf(DISTANT));
    }

    private RandomWindow(RandomCase chance, DataType ordered) {
        this.chance = chance;
        List<String> keys = new ArrayList<>();
        if (chance.random().nextBoolean()) {
            keys.add(add("p", DataType.INT8, true));
        }
        String name = "o";
        fields.add(new Field(name, chance.rarely(4) ? DataType.dictionary(ordered) : ordered));
        columns.add(
                ordered instanceof DataType.Int
                                || ordered instanceof DataType.Float
                                || ordered instanceof DataType.Decimal
                        ? chance.values(ordered, chance.rows(), chance.random().nextInt(3) > 0)
                        : times(ordered));
        this.window = new Window(keys, List.of(new SortKey(name, chance.random().nextBoolean())));
        add("v", chance.oneOf(NUMBERS), true);
        tell();
    }

    /// Times some of which are near each other.
    private List<Object> times(DataType type) {
        List<Object> near = new ArrayList<>();
        Object middle = new RandomValues(chance.random()).value(type);
        for (Object value : chance.values(DataType.INT64, chance.rows(), true)) {
            if (value == null) {
                near.add(null);
                continue;
            }
            long steps = (long) value;
            near.add(
                    switch (middle) {
                        case LocalDate day -> day.plusDays(steps * 10);
                        case java.time.LocalTime time -> time.plusSeconds(steps);
                        case java.time.LocalDateTime time -> time.plusSeconds(steps);
                        case java.time.ZonedDateTime time -> time.plusSeconds(steps);
                        default -> throw new IllegalStateException(type.toString());
                    });
        }
        return near;
    }

    private String add(String name, DataType type, boolean small) {
        boolean coded = chance.rarely(6)
                && !(type instanceof DataType.Dictionary)
                && Types.hasOrder(type)
                && !(type instanceof DataType.Null);
        fields.add(new Field(name, coded ? DataType.dictionary(type) : type));
        columns.add(chance.values(type, chance.rows(), small));
        return name;
    }

    private void tell() {
        chance.about(chance.rows() + " rows of " + fields + ", " + window);
    }

    Schema schema() {
        return Schema.of(fields);
    }

    Block block() {
        return chance.block(fields, columns);
    }

    /// The values as they are looked at: a dictionary is what it stands for.
    PlainWindows plain() {
        List<Field> plain = fields.stream()
                .map(field -> field.type() instanceof DataType.Dictionary dictionary
                        ? new Field(field.name(), dictionary.value())
                        : field)
                .toList();
        return new PlainWindows(window, Schema.of(plain), columns);
    }

    Frame frame() {
        return switch (chance.random().nextInt(8)) {
            case 0 -> Frame.partition();
            case 1 -> Frame.running();
            case 2 -> Frame.runningWithPeers();
            case 3 -> new Frame(Frame.Unit.RANGE, 0, chance.random().nextBoolean() ? 0 : Frame.UNBOUNDED_FOLLOWING);
            case 4 -> Frame.rows(offset(), Frame.UNBOUNDED_FOLLOWING);
            case 5 -> Frame.rows(Frame.UNBOUNDED_PRECEDING, offset());
            default -> {
                long from = offset();
                yield Frame.rows(
                        from,
                        Math.max(
                                from,
                                Math.min(from, Long.MAX_VALUE - 20)
                                        + chance.random().nextInt(12)));
            }
        };
    }

    /// A frame that is not the whole partition.
    Frame part() {
        Frame frame = frame();
        return frame.isPartition() ? part() : frame;
    }

    private long offset() {
        return chance.rarely(12)
                ? chance.oneOf(List.of(Long.MIN_VALUE + 1, -3_000_000_000L, 3_000_000_000L, Long.MAX_VALUE - 1))
                : chance.random().nextInt(-8, 5);
    }

    /// A frame by distances that the order key has.
    Frame distances() {
        DataType stored = schema().type(window.order().getFirst().column());
        DataType type = stored instanceof DataType.Dictionary dictionary ? dictionary.value() : stored;
        int open = chance.random().nextInt(5);
        Frame.Distance from = distance(type);
        Frame.Distance to = distance(type);
        return open == 0 ? Frame.values(null, to) : open == 1 ? Frame.values(from, null) : Frame.values(from, to);
    }

    private Frame.Distance distance(DataType type) {
        long steps = chance.random().nextInt(-6, 7);
        return switch (type) {
            case DataType.Date _ ->
                switch (chance.random().nextInt(3)) {
                    case 0 -> new Frame.Distance.OfNumber(BigDecimal.valueOf(steps * 10));
                    case 1 -> new Frame.Distance.OfTime(Duration.ofDays(steps * 10));
                    default ->
                        new Frame.Distance.OfMonths(Period.ofMonths((int) steps).toTotalMonths());
                };
            case DataType.Time _, DataType.Timestamp _ -> new Frame.Distance.OfTime(Duration.ofMillis(steps * 500));
            case DataType.Float _ ->
                new Frame.Distance.OfNumber(BigDecimal.valueOf(steps, 1).multiply(BigDecimal.valueOf(5)));
            default ->
                new Frame.Distance.OfNumber(
                        BigDecimal.valueOf(steps, chance.random().nextInt(2)));
        };
    }

    /// An aggregate of `v` over any frame.
    Aggregate aggregate() {
        DataType stored = schema().type("v");
        DataType type = stored instanceof DataType.Dictionary dictionary ? dictionary.value() : stored;
        List<Aggregate> choices =
                new ArrayList<>(List.of(Aggregates.count(), Aggregates.first("v"), Aggregates.last("v")));
        if (Types.hasOrder(type)) {
            choices.addAll(List.of(Aggregates.min("v"), Aggregates.max("v")));
        }
        if (type instanceof DataType.Bool) {
            choices.addAll(List.of(Aggregates.any("v"), Aggregates.all("v")));
        }
        if (NUMBERS.contains(type)) {
            choices.addAll(List.of(Aggregates.sum("v"), Aggregates.mean("v")));
        }
        return chance.oneOf(choices);
    }
}
