package dev.millrace.internal.source;

import dev.millrace.internal.transform.RecordCodec;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/// Values that the program had when it created the dataset. They stay Java objects; tasks convert them to columns.
public final class ItemsSource implements Source {
    private static final long serialVersionUID = 1L;
    /// An estimate of a value's bytes in a column: determines only the number of splits.
    private static final long VALUE_BYTES = 16;

    private final Schema schema;
    /// Per row the values of `columns` and maybe others.
    private final Object[][] rows;
    /// The position of each column of the schema in a row.
    private final int[] positions;

    private ItemsSource(Schema schema, Object[][] rows, int[] positions) {
        this.schema = schema;
        this.rows = rows;
        this.positions = positions;
    }

    public static ItemsSource of(List<?> items) {
        ItemValues values = new ItemValues("items");
        items.forEach(values::add);
        return of(values.schema(), values.values());
    }

    /// Records of one class, whose components define the columns and their types.
    public static ItemsSource ofRecords(Class<?> type, List<?> records) {
        RecordCodec codec = RecordCodec.of(type);
        List<String> names = codec.schema().names();
        Object[][] rows = new Object[records.size()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = ItemValues.inOrder(codec.toMap(records.get(i)), names);
        }
        return of(codec.schema(), rows);
    }

    private static ItemsSource of(Schema schema, Object[][] rows) {
        return new ItemsSource(schema, rows, IntStream.range(0, schema.size()).toArray());
    }

    @Override
    public String name() {
        return "Items";
    }

    @Override
    public Optional<Schema> schema() {
        return Optional.of(schema);
    }

    @Override
    public OptionalLong rows() {
        return OptionalLong.of(rows.length);
    }

    @Override
    public OptionalLong sizeBytes() {
        return OptionalLong.of(rows.length * VALUE_BYTES * schema.size());
    }

    @Override
    public Optional<Source> project(List<String> columns) {
        return Optional.of(new ItemsSource(
                Schema.of(columns.stream()
                        .map(name -> schema.field(schema.indexOf(name)))
                        .toList()),
                rows,
                columns.stream()
                        .mapToInt(name -> positions[schema.indexOf(name)])
                        .toArray()));
    }

    @Override
    public Optional<Source> limit(long wanted) {
        return Optional.of(
                wanted < rows.length ? new ItemsSource(schema, Arrays.copyOf(rows, (int) wanted), positions) : this);
    }

    /// Or one for each row.
    @Override
    public boolean hasSplits(int wanted) {
        return true;
    }

    /// As many splits as requested, whose numbers of rows differ by one at most; none is empty.
    @Override
    public Iterator<Split> splits(SplitRequest request) {
        int count = Math.min(rows.length, request.parallelism());
        return IntStream.range(0, count)
                .mapToObj(i -> (Split)
                        split((int) ((long) rows.length * i / count), (int) ((long) rows.length * (i + 1) / count)))
                .iterator();
    }

    private ItemsSplit split(int from, int to) {
        return new ItemsSplit(schema, Arrays.copyOfRange(rows, from, to), positions, from);
    }
}
