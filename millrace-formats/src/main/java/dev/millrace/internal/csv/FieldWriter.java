package dev.millrace.internal.csv;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.internal.text.TextBytes;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Objects;

/// Writes the values of one column.
abstract class FieldWriter {
    private static final long SECONDS_PER_DAY = 86_400;

    private final Column column;

    private FieldWriter(Column column) {
        this.column = column;
    }

    boolean isNull(long row) {
        return column.isNull(row);
    }

    /// Appends a value that is not null.
    abstract void write(long row, TextBuffer text);

    private interface Step {
        void write(long row, TextBuffer text);
    }

    private static FieldWriter of(Column column, Step step) {
        return new FieldWriter(column) {
            @Override
            void write(long row, TextBuffer text) {
                step.write(row, text);
            }
        };
    }

    static FieldWriter of(Column column) {
        return switch (column.type()) {
            case DataType.Utf8 _ -> {
                StringColumn strings = (StringColumn) column;
                yield of(
                        column,
                        (row, text) ->
                                text.appendText(strings.dataSegment(), strings.start(row), strings.byteLength(row)));
            }
            case DataType.Int(int bits, boolean signed)
            when bits == 64 && signed -> {
                LongColumn longs = (LongColumn) column;
                yield of(column, (row, text) -> text.plain().appendLong(longs.get(row)));
            }
            case DataType.Bool _ -> {
                BooleanColumn booleans = (BooleanColumn) column;
                yield of(column, (row, text) -> text.plain().appendAscii(booleans.get(row) ? "true" : "false"));
            }
            case DataType.Date _ -> {
                IntColumn days = (IntColumn) column;
                yield of(column, (row, text) -> appendDay(days.get(row), text.plain()));
            }
            case DataType.Time(TimeUnit unit) -> of(column, (row, text) -> appendTime(column, row, unit, text.plain()));
            case DataType.Timestamp(TimeUnit unit, String zone) -> {
                LongColumn times = (LongColumn) column;
                yield of(column, (row, text) -> {
                    long value = times.get(row);
                    long seconds = Math.floorDiv(value, unit.perSecond());
                    appendDay(Math.floorDiv(seconds, SECONDS_PER_DAY), text.plain());
                    text.plain().append((byte) ' ');
                    appendTime(
                            Math.floorMod(seconds, SECONDS_PER_DAY),
                            Math.floorMod(value, unit.perSecond()),
                            unit,
                            text.plain());
                    if (zone != null) {
                        text.plain().append((byte) 'Z');
                    }
                });
            }
            case DataType.Decimal _ -> {
                DecimalColumn decimals = (DecimalColumn) column;
                yield of(column, (row, text) -> text.plain().appendAscii(plain(decimals.get(row))));
            }
            case DataType.Dictionary _ -> {
                DictionaryColumn dictionary = (DictionaryColumn) column;
                FieldWriter values = of(dictionary.dictionary());
                yield new FieldWriter(column) {
                    @Override
                    boolean isNull(long row) {
                        return dictionary.isNull(row) || values.isNull(dictionary.index(row));
                    }

                    @Override
                    void write(long row, TextBuffer text) {
                        values.write(dictionary.index(row), text);
                    }
                };
            }
            // As its text.
            default ->
                of(
                        column,
                        (row, text) -> text.plain()
                                .appendAscii(Objects.requireNonNull(column.value(row), "nulls are not written")
                                        .toString()));
        };
    }

    private static String plain(BigDecimal value) {
        return value.toPlainString();
    }

    private static void appendDay(long day, TextBytes text) {
        LocalDate date = LocalDate.ofEpochDay(day);
        if (date.getYear() < 0 || date.getYear() > 9999) {
            text.appendAscii(date.toString());
        } else {
            text.appendDate(date.getYear(), date.getMonthValue(), date.getDayOfMonth());
        }
    }

    private static void appendTime(Column column, long row, TimeUnit unit, TextBytes text) {
        long value = column instanceof IntColumn ints ? ints.get(row) : ((LongColumn) column).get(row);
        appendTime(value / unit.perSecond(), value % unit.perSecond(), unit, text);
    }

    /// With as many fractional digits as the unit has, if there is a fraction.
    private static void appendTime(long seconds, long fraction, TimeUnit unit, TextBytes text) {
        text.appendTimeOfDay(seconds);
        if (fraction != 0) {
            text.append((byte) '.');
            text.appendDigits(fraction, Long.toString(unit.perSecond()).length() - 1);
        }
    }
}
