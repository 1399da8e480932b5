package dev.millrace.internal.json;

import static dev.millrace.internal.json.JsonSyntaxException.clash;

import dev.millrace.column.BooleanBuilder;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.DoubleBuilder;
import dev.millrace.column.ListBuilder;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.MapBuilder;
import dev.millrace.column.NullBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.column.StructBuilder;
import dev.millrace.internal.text.IntegerText;
import dev.millrace.internal.text.TextScratch;
import dev.millrace.internal.text.TextValues;
import dev.millrace.internal.text.TimeText;
import dev.millrace.internal.text.Utf8Arrays;
import dev.millrace.internal.text.ZoneClock;
import dev.millrace.type.DataType;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// Appends the values of one column, or of its elements, to a builder.
public abstract class ValueReader {
    /// What an integer that does not fit is told with.
    public static final String BEYOND_INT64 = ", which is beyond int64: name the type, float64, utf8 or a decimal";

    final ColumnBuilder target;

    ValueReader(ColumnBuilder target) {
        this.target = target;
    }

    /// Appends the value at a position; returns the position after it.
    ///
    /// @param depth the nesting depth of the value
    public abstract int read(JsonCursor in, int at, int depth);

    /// @param lenient strings accept any value, as its JSON text
    /// @param strict an unknown field of a struct is an error instead of being skipped
    public static ValueReader of(ColumnBuilder target, JsonNumbers numbers, boolean lenient, boolean strict) {
        return switch (target) {
            case LongBuilder longs when target.type().equals(DataType.INT64) -> new Longs(longs, numbers);
            case LongBuilder times when target.type() instanceof DataType.Timestamp type -> new Times(times, type);
            case DoubleBuilder doubles -> new Doubles(doubles, numbers);
            case BooleanBuilder booleans -> new Booleans(booleans);
            case StringColumnBuilder strings -> lenient ? new Texts(strings) : new Strings(strings);
            case ListBuilder lists -> new Lists(lists, of(lists.elements(), numbers, lenient, strict));
            case StructBuilder structs -> new Structs(structs, new ObjectReader(structs, numbers, lenient, strict));
            case MapBuilder maps
            when maps.type().key().equals(DataType.UTF8) -> new Maps(maps, of(maps.items(), numbers, lenient, strict));
            case NullBuilder nulls -> new Nulls(nulls);
            default -> new Others(target, numbers);
        };
    }

    /// Appends null where there is one; any other value does not fit.
    final int nullOrMisfit(JsonCursor in, int at) {
        if (in.bytes[at] != 'n') {
            throw misfit(in, at);
        }
        target.appendNull();
        return in.passNull(at);
    }

    final JsonSyntaxException misfit(JsonCursor in, int at) {
        return misfit(in, at, "");
    }

    /// @param why further explanation, or empty
    final JsonSyntaxException misfit(JsonCursor in, int at, String why) {
        return clash(target.type() + " is expected, and there is " + in.kindAt(at) + ": " + in.excerpt(at) + why, at);
    }

    static final class Longs extends ValueReader {
        private final LongBuilder longs;
        private final JsonNumbers numbers;

        Longs(LongBuilder longs, JsonNumbers numbers) {
            super(longs);
            this.longs = longs;
            this.numbers = numbers;
        }

        @Override
        public int read(JsonCursor in, int at, int depth) {
            byte c = in.bytes[at];
            if (c <= '9' && c != '"') {
                int end = numbers.read(in, at);
                longs.append(numbers.isLong ? numbers.longValue : whole(in, at, end));
                return end;
            }
            return nullOrMisfit(in, at);
        }

        /// The integral value of a number with a fraction or an exponent.
        private long whole(JsonCursor in, int at, int end) {
            BigInteger whole = Double.isFinite(numbers.doubleValue)
                    ? IntegerText.whole(JsonJavaValues.exact(in.bytes, at, end))
                    : null;
            if (whole == null || whole.bitLength() >= Long.SIZE) {
                throw misfit(in, at, numbers.isInteger ? BEYOND_INT64 : "");
            }
            return whole.longValue();
        }
    }

    static final class Doubles extends ValueReader {
        private final DoubleBuilder doubles;
        private final JsonNumbers numbers;

        Doubles(DoubleBuilder doubles, JsonNumbers numbers) {
            super(doubles);
            this.doubles = doubles;
            this.numbers = numbers;
        }

        @Override
        public int read(JsonCursor in, int at, int depth) {
            byte c = in.bytes[at];
            if (c <= '9' && c != '"' || c == 'N' || c == 'I') {
                int end = numbers.readDouble(in, at);
                doubles.append(numbers.doubleValue);
                return end;
            }
            return nullOrMisfit(in, at);
        }
    }

    static final class Booleans extends ValueReader {
        private final BooleanBuilder booleans;

        Booleans(BooleanBuilder booleans) {
            super(booleans);
            this.booleans = booleans;
        }

        @Override
        public int read(JsonCursor in, int at, int depth) {
            byte c = in.bytes[at];
            if (c == 't' || c == 'f') {
                int end = in.passBoolean(at);
                booleans.append(c == 't');
                return end;
            }
            return nullOrMisfit(in, at);
        }
    }

    static class Strings extends ValueReader {
        final StringColumnBuilder strings;

        Strings(StringColumnBuilder strings) {
            super(strings);
            this.strings = strings;
        }

        @Override
        public final int read(JsonCursor in, int at, int depth) {
            byte c = in.bytes[at];
            if (c == '"') {
                int end = in.string(at);
                strings.append(in.text, in.textFrom, in.textTo - in.textFrom);
                return end;
            }
            return c == 'n' ? nullOrMisfit(in, at) : other(in, at, depth);
        }

        /// A value that is neither a string nor null.
        int other(JsonCursor in, int at, int depth) {
            throw misfit(in, at);
        }
    }

    /// Strings, and the JSON text of any other value.
    static final class Texts extends Strings {
        Texts(StringColumnBuilder strings) {
            super(strings);
        }

        @Override
        int other(JsonCursor in, int at, int depth) {
            int end = ValueCheck.pass(in, at, depth);
            int wrong = Utf8Arrays.firstWrong(in.bytes, at, end);
            if (wrong < end) {
                throw JsonSyntaxException.wrong("a string is not UTF-8", wrong);
            }
            strings.append(in.bytes, at, end - at);
            return end;
        }
    }

    static final class Structs extends ValueReader {
        private final StructBuilder structs;
        private final ObjectReader objects;

        Structs(StructBuilder structs, ObjectReader objects) {
            super(structs);
            this.structs = structs;
            this.objects = objects;
        }

        @Override
        public int read(JsonCursor in, int from, int depth) {
            byte c = in.bytes[from];
            if (c != '{') {
                return nullOrMisfit(in, from);
            }
            int end = objects.fields(in, from, depth, structs.length());
            structs.endValue();
            return end;
        }
    }

    static final class Times extends ValueReader {
        private final LongBuilder times;
        private final DataType.Timestamp type;
        /// Null if the type has no zone.
        private final @Nullable ZoneClock clock;

        private final TextScratch scratch = new TextScratch();

        Times(LongBuilder times, DataType.Timestamp type) {
            super(times);
            this.times = times;
            this.type = type;
            this.clock = ZoneClock.of(type.zone());
        }

        @Override
        public int read(JsonCursor in, int at, int depth) {
            byte c = in.bytes[at];
            if (c == '"') {
                int end = in.string(at);
                long units = TimeText.timestamp(in.text, in.textFrom, in.textTo, type.unit(), clock, scratch);
                if (units == TimeText.NO_TIME) {
                    int length = scratch.put(in.text, in.textFrom, in.textTo);
                    throw misfit(in, at, TextValues.problem(scratch.bytes(), 0, length, type));
                }
                times.append(units);
                return end;
            }
            return nullOrMisfit(in, at);
        }
    }

    static final class Nulls extends ValueReader {
        Nulls(NullBuilder nulls) {
            super(nulls);
        }

        @Override
        public int read(JsonCursor in, int at, int depth) {
            return nullOrMisfit(in, at);
        }
    }

    static final class Lists extends ValueReader {
        private final ListBuilder lists;
        private final ValueReader elements;

        Lists(ListBuilder lists, ValueReader elements) {
            super(lists);
            this.lists = lists;
            this.elements = elements;
        }

        @Override
        public int read(JsonCursor in, int from, int depth) {
            byte c = in.bytes[from];
            if (c != '[') {
                return nullOrMisfit(in, from);
            }
            in.requireDepth(depth, from);
            int at = in.skipSpace(from + 1);
            if (in.bytes[at] != ']') {
                while (true) {
                    at = in.skipSpace(elements.read(in, at, depth + 1));
                    c = in.bytes[at];
                    if (c != ',') {
                        break;
                    }
                    at = in.skipSpace(at + 1);
                }
                if (c != ']') {
                    throw in.unexpected("a comma or ']' should follow", at);
                }
            }
            lists.endValue();
            return at + 1;
        }
    }

    /// Objects as maps of strings. Duplicate keys are kept.
    static final class Maps extends ValueReader {
        private final MapBuilder maps;
        private final StringColumnBuilder keys;
        private final ValueReader items;

        Maps(MapBuilder maps, ValueReader items) {
            super(maps);
            this.maps = maps;
            this.keys = (StringColumnBuilder) maps.keys();
            this.items = items;
        }

        @Override
        public int read(JsonCursor in, int from, int depth) {
            byte c = in.bytes[from];
            if (c != '{') {
                return nullOrMisfit(in, from);
            }
            in.requireDepth(depth, from);
            int at = in.skipSpace(from + 1);
            while (in.bytes[at] != '}') {
                if (in.bytes[at] != '"') {
                    throw in.unexpected("a key in quotes should follow", at);
                }
                at = in.string(at);
                keys.append(in.text, in.textFrom, in.textTo - in.textFrom);
                at = in.skipSpace(items.read(in, in.colon(at), depth + 1));
                if (in.bytes[at] != ',') {
                    break;
                }
                at = in.skipSpace(at + 1);
                if (in.bytes[at] == '}') {
                    throw in.unexpected("a key in quotes should follow", at);
                }
            }
            if (in.bytes[at] != '}') {
                throw in.unexpected("a comma or '}' should follow", at);
            }
            maps.endValue();
            return at + 1;
        }
    }

    /// All other types, which are rare and only given by the user: converted by way of Java values.
    static final class Others extends ValueReader {
        private final JsonJavaValues values;

        Others(ColumnBuilder target, JsonNumbers numbers) {
            super(target);
            this.values = new JsonJavaValues(numbers);
        }

        @Override
        public int read(JsonCursor in, int at, int depth) {
            int end = values.read(in, at, depth);
            try {
                target.append(values.fit(values.value(), target.type()));
            } catch (RuntimeException e) {
                if (e instanceof JsonSyntaxException) {
                    throw e;
                }
                throw misfit(in, at);
            }
            return end;
        }
    }
}
