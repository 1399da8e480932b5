package dev.millrace.internal.csv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.internal.text.TextWords;
import dev.millrace.internal.text.TimeText;
import dev.millrace.internal.text.ZoneClock;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Dates, times of day and timestamps.
final class TimeParser extends ColumnParser {
    /// The clock of the type's zone; null if it has none.
    private final @Nullable ZoneClock clock;

    TimeParser(DataType type, LiteralTexts nulls) {
        super(type, nulls);
        this.clock = type instanceof DataType.Timestamp stamp ? ZoneClock.of(stamp.zone()) : null;
    }

    @Override
    Column parse(ColumnFields fields, ColumnOutput output) {
        boolean wide = type instanceof DataType.Timestamp
                || type instanceof DataType.Time(TimeUnit unit) && unit.perSecond() > 1000;
        Buffer data = output.buffer((long) fields.rows * (wide ? 8 : 4));
        MemorySegment target = data.segment();
        for (int row = 0; row < fields.rows; row++) {
            long value = 0;
            if (isNullFirst(fields, row)) {
                output.setNull(row);
            } else {
                value = value(fields.bytes, fields.from[row], fields.to[row]);
                if (value == TimeText.NO_TIME) {
                    int start = TextWords.trimStart(fields.bytes, fields.from[row], fields.to[row]);
                    value = value(fields.bytes, start, TextWords.trimEnd(fields.bytes, start, fields.to[row]));
                }
                if (value == TimeText.NO_TIME) {
                    settle(fields, row, output);
                    value = 0;
                }
            }
            if (wide) {
                target.setAtIndex(JAVA_LONG, row, value);
            } else {
                target.setAtIndex(JAVA_INT, row, (int) value);
            }
        }
        return output.fixed(type, data);
    }

    private long value(MemorySegment bytes, int from, int to) {
        return switch (type) {
            case DataType.Timestamp(TimeUnit unit, String _) -> TimeText.timestamp(bytes, from, to, unit, clock);
            case DataType.Time(TimeUnit unit) -> TimeText.timeOfDay(bytes, from, to, unit);
            // Dates.
            default -> {
                int day = TimeText.date(bytes, from, to);
                yield day == TimeText.NO_DATE ? TimeText.NO_TIME : day;
            }
        };
    }
}
