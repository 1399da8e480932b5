package dev.millrace;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Statistics of columns, all computed by one aggregation.
final class Summaries {
    private static final int TOP = 10;

    private Summaries() {}

    static List<ColumnSummary> of(Dataset dataset, List<Field> fields) {
        List<Aggregate> aggregates = new ArrayList<>();
        aggregates.add(Aggregates.count().as("rows"));
        for (int i = 0; i < fields.size(); i++) {
            for (Aggregate aggregate : aggregates(fields.get(i))) {
                aggregates.add(aggregate.as(name(aggregate, i)));
            }
        }
        Row row = dataset.aggregate(aggregates.toArray(Aggregate[]::new))
                .takeAll()
                .getFirst();
        List<ColumnSummary> summaries = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            summaries.add(summary(row, fields.get(i), i));
        }
        return summaries;
    }

    /// The fields of these columns, of all if none are named.
    static List<Field> fields(Schema schema, List<String> columns) {
        return columns.isEmpty()
                ? schema.fields()
                : columns.stream()
                        .map(column -> schema.field(schema.require(column, "summary")))
                        .toList();
    }

    private static String name(Aggregate aggregate, int column) {
        return aggregate.function().verb() + " " + column;
    }

    private static List<Aggregate> aggregates(Field field) {
        String column = field.name();
        List<Aggregate> wanted = new ArrayList<>(List.of(Aggregates.missingPercentage(column)));
        DataType type = field.type() instanceof DataType.Dictionary dictionary ? dictionary.value() : field.type();
        switch (type) {
            case DataType.Int _, DataType.Float _, DataType.Decimal _ ->
                wanted.addAll(List.of(
                        Aggregates.zeroPercentage(column),
                        Aggregates.mean(column),
                        Aggregates.std(column),
                        Aggregates.min(column),
                        Aggregates.approximateQuantile(column, 0.5),
                        Aggregates.max(column)));
            case DataType.Date _, DataType.Time _, DataType.Timestamp _, DataType.Duration _ ->
                wanted.addAll(List.of(Aggregates.min(column), Aggregates.max(column)));
            case DataType.Bool _ ->
                wanted.addAll(List.of(
                        Aggregates.min(column), Aggregates.max(column), Aggregates.approximateTopK(column, TOP)));
            case DataType.Utf8 _ -> wanted.add(Aggregates.approximateTopK(column, TOP));
            case DataType.Null _, DataType.Binary _, DataType.Dictionary _, DataType.Nested _ -> {}
        }
        return wanted;
    }

    private static ColumnSummary summary(Row row, Field field, int i) {
        String column = field.name();
        return new ColumnSummary(
                column,
                field.type().toString(),
                row.getLong("rows"),
                (Double) value(row, Aggregates.missingPercentage(column), i),
                (Double) value(row, Aggregates.zeroPercentage(column), i),
                (Double) value(row, Aggregates.mean(column), i),
                (Double) value(row, Aggregates.std(column), i),
                text(value(row, Aggregates.min(column), i)),
                (Double) value(row, Aggregates.approximateQuantile(column, 0.5), i),
                text(value(row, Aggregates.max(column), i)),
                frequencies(value(row, Aggregates.approximateTopK(column, TOP), i)));
    }

    private static @Nullable Object value(Row row, Aggregate aggregate, int column) {
        String name = name(aggregate, column);
        return row.columns().contains(name) ? row.get(name) : null;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static @Nullable List<ColumnSummary.Frequency> frequencies(@Nullable Object top) {
        if (!(top instanceof List<?> entries)) {
            return null;
        }
        List<ColumnSummary.Frequency> frequencies = new ArrayList<>();
        for (Object entry : entries) {
            Map<?, ?> struct = (Map<?, ?>) entry;
            Number count = (Number) Objects.requireNonNull(struct.get("count"), "a value in the list was counted");
            frequencies.add(new ColumnSummary.Frequency(String.valueOf(struct.get("value")), count.longValue()));
        }
        return frequencies;
    }
}
