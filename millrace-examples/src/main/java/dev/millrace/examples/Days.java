package dev.millrace.examples;

import dev.millrace.Session;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A custom source: a row for each day from one date to another, with its weekday and its week of the year.
///
/// ```java
/// session.read(Days.between(LocalDate.of(2024, 1, 1), LocalDate.of(2025, 1, 1)))
/// ```
///
/// A source needs no more than this: a value that knows its columns and divides itself into splits, each of which a
/// task reads chunk by chunk. Splits are serialised to workers, so they contain only what is needed to read them.
/// `DaysTest` runs the contract that every source keeps.
///
/// @param columns the wanted ones: a source with projection pushdown produces only the columns that are used
public record Days(LocalDate from, LocalDate to, Schema columns) implements Source {
    private static final Schema ALL = Schema.of(List.of(
            new Field("date", DataType.DATE),
            new Field("weekday", DataType.UTF8),
            new Field("dayOfYear", DataType.INT32)));

    /// @param to exclusive
    public static Days between(LocalDate from, LocalDate to) {
        if (to.isBefore(from)) {
            throw MillraceException.user("Days end before they begin: from " + from + " to " + to + ".");
        }
        return new Days(from, to, ALL);
    }

    @Override
    public String name() {
        return "Days(" + from + " to " + to + ")";
    }

    @Override
    public Optional<Schema> schema() {
        return Optional.of(columns);
    }

    /// Known in advance, so that `count()` reads nothing.
    @Override
    public OptionalLong rows() {
        return OptionalLong.of(ChronoUnit.DAYS.between(from, to));
    }

    @Override
    public Optional<Source> project(List<String> names) {
        List<Field> wanted = names.stream()
                .map(name -> columns.field(columns.require(name, "Days")))
                .toList();
        return Optional.of(new Days(from, to, Schema.of(wanted)));
    }

    /// As many splits as the engine requests, each of at least one day.
    @Override
    public Iterator<Split> splits(SplitRequest request) {
        long days = rows().getAsLong();
        int count = Math.clamp(days, 1, request.parallelism());
        return IntStream.range(0, count)
                .<Split>mapToObj(i ->
                        new Stretch(from.plusDays(days * i / count), from.plusDays(days * (i + 1) / count), columns))
                .iterator();
    }

    /// A range of consecutive days.
    private record Stretch(LocalDate from, LocalDate to, Schema columns) implements Split {
        @Override
        public String description() {
            return from + " to " + to;
        }

        @Override
        public OptionalLong rows() {
            return OptionalLong.of(ChronoUnit.DAYS.between(from, to));
        }

        @Override
        public SplitReader open(ReadContext context) {
            return new Reader(this, context);
        }
    }

    /// Produces one chunk at a time. Memory comes from the context's allocator; the caller closes the blocks.
    private static final class Reader implements SplitReader {
        private static final int CHUNK_ROWS = 10_000;

        private final Stretch days;
        private final ReadContext context;
        private LocalDate next;

        Reader(Stretch days, ReadContext context) {
            this.days = days;
            this.context = context;
            this.next = days.from();
        }

        @Override
        public @Nullable Block next() {
            if (!next.isBefore(days.to())) {
                return null;
            }
            int rows = (int) Math.min(CHUNK_ROWS, ChronoUnit.DAYS.between(next, days.to()));
            List<Column> made = new ArrayList<>();
            for (Field field : days.columns().fields()) {
                try (ColumnBuilder builder = ColumnBuilder.of(context.allocator(), field.type(), rows)) {
                    for (int i = 0; i < rows; i++) {
                        builder.append(value(field.name(), next.plusDays(i)));
                    }
                    made.add(builder.build());
                }
            }
            next = next.plusDays(rows);
            return Block.of(days.columns(), made, rows);
        }

        private static Object value(String column, LocalDate date) {
            return switch (column) {
                case "date" -> date;
                case "weekday" -> date.getDayOfWeek().toString();
                default -> date.getDayOfYear();
            };
        }
    }

    /// Shows the first days of 2024.
    public static void main(String[] args) {
        try (Session session = Session.open()) {
            session.read(between(LocalDate.of(2024, 1, 1), LocalDate.of(2025, 1, 1)))
                    .show();
        }
    }
}
