package dev.millrace.internal.csv;

import dev.millrace.internal.text.DoubleText;
import dev.millrace.internal.text.IntegerText;
import dev.millrace.internal.text.TextWords;
import dev.millrace.internal.text.TimeText;
import dev.millrace.internal.text.ZoneClock;
import dev.millrace.source.ReadCsv;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.util.List;

/// Infers the type of a column from a sample: the first of these kinds that fits all values.
final class CsvTypeInference {
    private enum Kind {
        INTEGER,
        BOOLEAN,
        DATE,
        TIME,
        MICROSECONDS,
        NANOSECONDS,
        ZONED_MICROSECONDS,
        ZONED_NANOSECONDS,
        FLOAT
    }

    private static final List<Kind> KINDS = List.of(Kind.values());

    private final LiteralTexts nulls;
    private final LiteralTexts trueTexts;
    private final LiteralTexts falseTexts;

    CsvTypeInference(ReadCsv options) {
        this.nulls = ColumnParsers.nullTexts(DataType.INT64, options);
        this.trueTexts = ColumnParsers.trueTexts(options);
        this.falseTexts = ColumnParsers.falseTexts(options);
    }

    /// Null for a column without values.
    DataType of(ColumnFields fields) {
        int first = 0;
        while (first < fields.rows && nulls.isNull(fields, first)) {
            first++;
        }
        if (first == fields.rows) {
            return DataType.NULL;
        }
        // One kind after the other: most fail at the first value, and the right one takes a single pass.
        for (Kind kind : KINDS) {
            if (fitsAll(kind, fields, first)) {
                return type(kind);
            }
        }
        return DataType.UTF8;
    }

    private boolean fitsAll(Kind kind, ColumnFields fields, int first) {
        for (int row = first; row < fields.rows; row++) {
            if (!fits(kind, fields, row) && !nulls.isNull(fields, row)) {
                return false;
            }
        }
        return true;
    }

    /// The first row with an integer beyond int64, in a column that contains only integers; -1 if there is none.
    int rowBeyondInt64(ColumnFields fields) {
        int beyond = -1;
        for (int row = 0; row < fields.rows; row++) {
            if (nulls.isNull(fields, row) || fits(Kind.INTEGER, fields, row)) {
                continue;
            }
            int from = TextWords.trimStart(fields.bytes, fields.from[row], fields.to[row]);
            int to = TextWords.trimEnd(fields.bytes, from, fields.to[row]);
            if (!IntegerText.isDigits(fields.bytes, from, to)) {
                return -1;
            }
            beyond = beyond < 0 ? row : beyond;
        }
        return beyond;
    }

    private boolean fits(Kind kind, ColumnFields fields, int row) {
        int from = TextWords.trimStart(fields.bytes, fields.from[row], fields.to[row]);
        int to = TextWords.trimEnd(fields.bytes, from, fields.to[row]);
        return switch (kind) {
            case INTEGER ->
                IntegerText.fast(fields.bytes, from, to) != IntegerText.NONE
                        || IntegerText.plain(fields.bytes, from, to, true, new long[1]);
            case BOOLEAN -> trueTexts.matches(fields, row) || falseTexts.matches(fields, row);
            case DATE -> TimeText.date(fields.bytes, from, to) != TimeText.NO_DATE;
            case TIME -> TimeText.timeOfDay(fields.bytes, from, to, TimeUnit.MICROSECOND) != TimeText.NO_TIME;
            case MICROSECONDS -> isTimestamp(fields, from, to, TimeUnit.MICROSECOND, false);
            case NANOSECONDS -> isTimestamp(fields, from, to, TimeUnit.NANOSECOND, false);
            case ZONED_MICROSECONDS -> isTimestamp(fields, from, to, TimeUnit.MICROSECOND, true);
            case ZONED_NANOSECONDS -> isTimestamp(fields, from, to, TimeUnit.NANOSECOND, true);
            case FLOAT ->
                DoubleText.fast(fields.bytes, from, to) != DoubleText.NONE
                        || DoubleText.slow(fields.bytes, from, to) != DoubleText.NONE;
        };
    }

    private static boolean isTimestamp(ColumnFields fields, int from, int to, TimeUnit unit, boolean zoned) {
        // If only some of the texts have an offset, no type is inferred.
        return TimeText.hasOffset(fields.bytes, from, to) == zoned
                && TimeText.timestamp(fields.bytes, from, to, unit, zoned ? ZoneClock.UTC : null) != TimeText.NO_TIME;
    }

    private static DataType type(Kind kind) {
        return switch (kind) {
            case INTEGER -> DataType.INT64;
            case BOOLEAN -> DataType.BOOL;
            case DATE -> DataType.DATE;
            case TIME -> DataType.time(TimeUnit.MICROSECOND);
            case MICROSECONDS -> DataType.timestamp(TimeUnit.MICROSECOND);
            case NANOSECONDS -> DataType.timestamp(TimeUnit.NANOSECOND);
            case ZONED_MICROSECONDS -> DataType.timestamp(TimeUnit.MICROSECOND, "UTC");
            case ZONED_NANOSECONDS -> DataType.timestamp(TimeUnit.NANOSECOND, "UTC");
            case FLOAT -> DataType.FLOAT64;
        };
    }
}
