package dev.millrace.cli;

import dev.millrace.ColumnSummary;
import dev.millrace.Dataset;
import dev.millrace.MaterializedDataset;
import dev.millrace.batch.Batch;
import dev.millrace.column.Column;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Statistics of the columns of a sample: those of [Dataset#summary], and histograms of numbers and times.
///
/// @param rows of the sample
/// @param columns in the order of the schema, as far as there are statistics of their types
record ColumnFacts(long rows, Map<String, Fact> columns) {
    private static final int BINS = 16;
    private static final int BATCH_ROWS = 8_192;

    /// @param histogram null for types without an order, and if there are no values
    record Fact(ColumnSummary summary, @Nullable Histogram histogram) {}

    /// @param most of the first rows
    static ColumnFacts of(Dataset read, Schema schema, long most) {
        List<String> names = schema.fields().stream()
                .filter(ColumnFacts::hasStatistics)
                .map(Field::name)
                .toList();
        if (names.isEmpty()) {
            return new ColumnFacts(0, Map.of());
        }
        try (MaterializedDataset sample =
                read.select(names.toArray(String[]::new)).limit(most).materialize()) {
            Map<String, Histogram> histograms = histograms(sample, schema);
            Map<String, Fact> facts = new LinkedHashMap<>();
            try (CloseableIterator<ColumnSummary> summaries = sample.summary().iterRecords(ColumnSummary.class)) {
                while (summaries.hasNext()) {
                    ColumnSummary summary = summaries.next();
                    facts.put(summary.column(), new Fact(summary, histograms.get(summary.column())));
                }
            }
            return new ColumnFacts(sample.count(), facts);
        }
    }

    private static boolean hasStatistics(Field field) {
        return switch (field.type()) {
            case DataType.Nested _, DataType.Binary _, DataType.Null _ -> false;
            case DataType.Dictionary dictionary -> !(dictionary.value() instanceof DataType.Nested);
            case DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Bool _,
                    DataType.Utf8 _,
                    DataType.Temporal _ -> true;
        };
    }

    private static boolean hasOrder(DataType type) {
        return type.isNumeric() || type instanceof DataType.Decimal || type instanceof DataType.Temporal;
    }

    private static Map<String, Histogram> histograms(Dataset sample, Schema schema) {
        Map<String, Values> values = new LinkedHashMap<>();
        for (String name : sample.columns()) {
            if (hasOrder(schema.type(name))) {
                values.put(name, new Values());
            }
        }
        if (!values.isEmpty()) {
            try (CloseableIterator<Batch> batches = sample.iterBatches(BATCH_ROWS)) {
                while (batches.hasNext()) {
                    Batch batch = batches.next();
                    values.forEach((name, of) -> of.add(batch.column(name)));
                }
            }
        }
        Map<String, Histogram> histograms = new LinkedHashMap<>();
        values.forEach((name, of) -> {
            Histogram histogram = Histogram.of(of.toArray(), BINS);
            if (histogram != null) {
                histograms.put(name, histogram);
            }
        });
        return histograms;
    }

    /// The values of a column on a line of numbers, without nulls.
    private static final class Values {
        private final List<double[]> parts = new ArrayList<>();

        void add(Column column) {
            int size = Math.toIntExact(column.length());
            double[] part = new double[size];
            int count = 0;
            for (int i = 0; i < size; i++) {
                double value = number(column.value(i));
                if (Double.isFinite(value)) {
                    part[count++] = value;
                }
            }
            parts.add(java.util.Arrays.copyOf(part, count));
        }

        double[] toArray() {
            return parts.stream().flatMapToDouble(java.util.Arrays::stream).toArray();
        }
    }

    /// NaN for what is none.
    static double number(@Nullable Object value) {
        return switch (value) {
            case Number number -> number.doubleValue();
            case LocalDate date -> date.toEpochDay();
            case LocalDateTime time -> number(time.toInstant(ZoneOffset.UTC));
            case Instant instant -> instant.getEpochSecond() + instant.getNano() / 1e9;
            case LocalTime time -> time.toNanoOfDay() / 1e9;
            case Duration duration -> duration.toSeconds() + duration.toNanosPart() / 1e9;
            case null, default -> Double.NaN;
        };
    }
}
