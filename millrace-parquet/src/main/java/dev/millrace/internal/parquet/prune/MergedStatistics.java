package dev.millrace.internal.parquet.prune;

import dev.millrace.internal.parquet.format.ValueStatistics;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.source.ColumnStatistics;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Merges the statistics of a column's chunks.
///
/// Distinct values: chunks with the same bounds are assumed to have the same values, as those of a category do, and
/// chunks with other bounds to have other values, as those of sorted files do.
public final class MergedStatistics {
    private final DataType type;
    private final List<ColumnRange> ranges = new ArrayList<>();
    private final Map<List<@Nullable Object>, Long> distinct = new HashMap<>();
    private long nulls;
    private boolean nullsKnown = true;
    private boolean distinctKnown = true;

    public MergedStatistics(DataType type) {
        this.type = type;
    }

    /// @param values the number of values in the chunk, including nulls
    /// @param different the number of distinct values, -1 if unknown
    public void add(SchemaNode.Leaf leaf, @Nullable ValueStatistics chunk, long values, long different) {
        ColumnRange range = ComparableBounds.range(leaf, chunk, values);
        if (range == null) {
            // Statistics that contradict themselves say nothing.
            ranges.add(ColumnRange.UNKNOWN);
            nullsKnown = false;
            distinctKnown = false;
            return;
        }
        nullsKnown &= chunk != null && chunk.nulls() >= 0;
        nulls += chunk == null ? 0 : chunk.nulls();
        if (range.allNull()) {
            return;
        }
        ranges.add(range);
        distinctKnown &= different >= 0;
        distinct.merge(bounds(range), different, Math::max);
    }

    /// Adds a file without the column, whose values are all null.
    public void addMissing(long rows) {
        nulls += rows;
    }

    private static List<@Nullable Object> bounds(ColumnRange range) {
        List<@Nullable Object> bounds = new ArrayList<>();
        bounds.add(range.min());
        bounds.add(range.max());
        return bounds;
    }

    public ColumnStatistics merged() {
        Comparable<?> min = null;
        Comparable<?> max = null;
        for (ColumnRange range : ranges) {
            if (range.min() == null || range.max() == null) {
                min = null;
                max = null;
                break;
            }
            min = min == null || RangePruner.order(range.min(), min, 0) < 0 ? range.min() : min;
            max = max == null || RangePruner.order(range.max(), max, 0) > 0 ? range.max() : max;
        }
        long sum = 0;
        for (long different : distinct.values()) {
            sum += different;
        }
        return new ColumnStatistics(
                value(min),
                value(max),
                nullsKnown ? OptionalLong.of(nulls) : OptionalLong.empty(),
                distinctKnown ? OptionalLong.of(sum) : OptionalLong.empty());
    }

    /// The bound as a row returns it.
    private @Nullable Object value(@Nullable Comparable<?> bound) {
        return switch (bound) {
            case null -> null;
            case ComparableBounds.Bytes(byte[] bytes) ->
                type instanceof DataType.Utf8 ? new String(bytes, StandardCharsets.UTF_8) : bytes;
            case BigDecimal number ->
                switch (type) {
                    case DataType.Date _ -> LocalDate.ofEpochDay(number.longValue());
                    case DataType.Timestamp(var _, String zone) -> zone == null ? local(number) : instant(number);
                    case DataType.Decimal _ -> number;
                    case DataType.Int integer ->
                        integer.bits() == 64 && !integer.signed() ? number : (Object) number.longValue();
                    case DataType.Null _,
                            DataType.Bool _,
                            DataType.Float _,
                            DataType.Time _,
                            DataType.Duration _,
                            DataType.Utf8 _,
                            DataType.Binary _,
                            DataType.Dictionary _,
                            DataType.Nested _ -> null;
                };
            default -> bound;
        };
    }

    private static LocalDateTime local(BigDecimal nanos) {
        return LocalDateTime.ofInstant(instant(nanos), ZoneOffset.UTC);
    }

    private static Instant instant(BigDecimal nanos) {
        BigDecimal[] parts = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000L));
        return Instant.ofEpochSecond(parts[0].longValue(), parts[1].longValue());
    }
}
