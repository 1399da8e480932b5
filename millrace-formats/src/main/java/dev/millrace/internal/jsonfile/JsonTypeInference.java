package dev.millrace.internal.jsonfile;

import static dev.millrace.internal.json.JsonSyntaxException.clash;
import static dev.millrace.internal.json.JsonSyntaxException.earlier;
import static dev.millrace.internal.json.JsonSyntaxException.wrong;
import static dev.millrace.internal.json.ValueReader.BEYOND_INT64;

import dev.millrace.internal.json.FieldKey;
import dev.millrace.internal.json.JsonCursor;
import dev.millrace.internal.json.JsonNumbers;
import dev.millrace.internal.json.JsonSyntaxException;
import dev.millrace.internal.text.TextScratch;
import dev.millrace.internal.text.TimeText;
import dev.millrace.internal.text.ZoneClock;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Infers the type of the values of one field: int64, float64 once a value has a fraction or an exponent, bool,
/// `timestamp[s]` while every string is a timestamp without an offset from UTC, `timestamp[s, UTC]` while every string
/// is one with an offset, utf8 otherwise, lists, structs of all fields seen, null while there is nothing else. Nearly
/// the same types that pyarrow infers. Values of two kinds are a conflict, and so are integers beyond int64 in a field
/// with only integers.
final class JsonTypeInference {
    private enum Kind {
        NULL,
        BOOL,
        INT,
        DOUBLE,
        TIME,
        ZONED_TIME,
        TEXT,
        LIST,
        STRUCT
    }

    /// Follows such an integer in error messages.

    private Kind kind = Kind.NULL;
    /// The first integer beyond int64; null if there was none.
    private @Nullable BeyondInteger beyond;

    /// Of the elements of lists; null if there were none.
    private @Nullable JsonTypeInference element;
    /// In the order of first occurrence, and by name.
    private final List<SeenField> fields = new ArrayList<>(0);

    private final Map<String, SeenField> byName = new HashMap<>(0);

    /// Shared by all inferences of one sample.
    private final Tools tools;

    /// @param where describes a position in the cursor
    private record Tools(JsonNumbers numbers, TextScratch scratch, IntFunction<String> where) {}

    private record BeyondInteger(String text, String where) {}

    /// @param guess null if the type is given
    private record SeenField(
            FieldKey key, int position, @Nullable JsonTypeInference guess) {
        String name() {
            return key.name();
        }

        DataType type(String where) {
            return guess == null ? DataType.NULL : guess.type(where + " '" + name() + "' ");
        }
    }

    private JsonTypeInference(Tools tools) {
        this.tools = tools;
    }

    /// For values of any kind.
    static JsonTypeInference ofValues() {
        return of(_ -> "");
    }

    private static JsonTypeInference of(IntFunction<String> where) {
        return new JsonTypeInference(new Tools(new JsonNumbers(), new TextScratch(), where));
    }

    /// @param where describes a position in the cursor
    static JsonTypeInference ofRecords(IntFunction<String> where) {
        JsonTypeInference records = of(where);
        records.kind = Kind.STRUCT;
        return records;
    }

    /// Learns from a record.
    ///
    /// @param given fields whose type is not inferred
    int record(JsonCursor in, int at, Set<String> given) {
        return object(in, at, 0, given);
    }

    Schema schema() {
        return Schema.of(types("in column"));
    }

    /// @throws JsonSyntaxException at the first integer beyond int64, if only integers were seen
    DataType type() {
        return switch (kind) {
            case NULL -> DataType.NULL;
            case BOOL -> DataType.BOOL;
            case INT -> {
                if (beyond != null) {
                    throw earlier("there is the integer " + beyond.text + BEYOND_INT64, beyond.where);
                }
                yield DataType.INT64;
            }
            case DOUBLE -> DataType.FLOAT64;
            case TIME -> DataType.timestamp(TimeUnit.SECOND);
            case ZONED_TIME -> DataType.timestamp(TimeUnit.SECOND, "UTC");
            case TEXT -> DataType.UTF8;
            case LIST -> DataType.list(element == null ? DataType.NULL : element.type());
            case STRUCT -> new DataType.Struct(types("in its field"));
        };
    }

    /// @param where prefix for the name of a field without a type, in errors
    private List<Field> types(String where) {
        return fields.stream()
                .map(field -> new Field(field.name(), field.type(where)))
                .toList();
    }

    private DataType type(String where) {
        try {
            return type();
        } catch (JsonSyntaxException e) {
            throw earlier(where + e.getMessage(), e.where());
        }
    }

    /// Learns from a value.
    int value(JsonCursor in, int at, int depth) {
        byte c = in.bytes[at];
        return switch (c) {
            case 'n' -> in.passNull(at);
            case 't', 'f' -> {
                become(Kind.BOOL, in, at);
                yield in.passBoolean(at);
            }
            case '"' -> {
                int end = in.string(at);
                become(kind == Kind.TEXT ? Kind.TEXT : textKind(in), in, at);
                yield end;
            }
            case '[' -> {
                become(Kind.LIST, in, at);
                yield array(in, at, depth);
            }
            case '{' -> {
                become(Kind.STRUCT, in, at);
                yield object(in, at, depth, Set.of());
            }
            default -> {
                if (kind == Kind.DOUBLE) {
                    // A number of any size.
                    yield tools.numbers.readDouble(in, at);
                }
                int end = tools.numbers.read(in, at);
                if (!tools.numbers.isLong && tools.numbers.isInteger) {
                    become(Kind.INT, in, at);
                    if (beyond == null) {
                        beyond = new BeyondInteger(in.excerpt(at), tools.where.apply(at));
                    }
                } else {
                    become(tools.numbers.isLong ? Kind.INT : Kind.DOUBLE, in, at);
                }
                yield end;
            }
        };
    }

    /// The kind of the string that the cursor has just read.
    private Kind textKind(JsonCursor in) {
        int length = in.textTo - in.textFrom;
        if (length < MIN_TIME_LENGTH || length > MAX_TIME_LENGTH) {
            return Kind.TEXT;
        }
        if (isTime(in, null)) {
            return Kind.TIME;
        }
        tools.scratch.put(in.text, in.textFrom, in.textTo);
        boolean isZoned = TimeText.hasOffset(tools.scratch.bytes(), 0, length) && isTime(in, ZoneClock.UTC);
        return isZoned ? Kind.ZONED_TIME : Kind.TEXT;
    }

    private boolean isTime(JsonCursor in, @Nullable ZoneClock clock) {
        return TimeText.timestamp(in.text, in.textFrom, in.textTo, TimeUnit.SECOND, clock, tools.scratch)
                != TimeText.NO_TIME;
    }

    private int array(JsonCursor in, int from, int depth) {
        in.requireDepth(depth, from);
        int at = in.skipSpace(from + 1);
        boolean more = in.bytes[at] != ']';
        while (more) {
            if (element == null) {
                element = new JsonTypeInference(tools);
            }
            at = in.skipSpace(element.value(in, at, depth + 1));
            more = in.bytes[at] == ',';
            at = more ? in.skipSpace(at + 1) : at;
        }
        if (in.bytes[at] != ']') {
            throw in.unexpected("a comma or ']' should follow", at);
        }
        return at + 1;
    }

    private int object(JsonCursor in, int from, int depth, Set<String> given) {
        in.requireDepth(depth, from);
        int at = in.skipSpace(from + 1);
        boolean more = in.bytes[at] != '}';
        int next = 0;
        while (more) {
            SeenField field;
            int keyAt = at;
            if (next < fields.size() && fields.get(next).key.isAt(in.bytes, at)) {
                field = fields.get(next);
                at = in.colon(at + field.key.length());
            } else {
                if (in.bytes[at] != '"') {
                    throw in.unexpected("a key in quotes should follow", at);
                }
                at = in.string(at);
                String name = new String(in.text, in.textFrom, in.textTo - in.textFrom, StandardCharsets.UTF_8);
                at = in.colon(at);
                field = field(name, given.contains(name));
            }
            if (fields.size() > MAX_FIELDS) {
                throw wrong("an object has more than " + MAX_FIELDS + " fields: is it a map?", keyAt);
            }
            next = field.position + 1;
            if (field.guess == null) {
                at = in.skipValue(at);
            } else {
                try {
                    at = field.guess.value(in, at, depth + 1);
                } catch (JsonSyntaxException e) {
                    throw depth == 0 && e.isClash()
                            ? clash("in column '" + field.name() + "' " + e.getMessage(), e.at())
                            : e;
                }
            }
            at = in.skipSpace(at);
            more = in.bytes[at] == ',';
            at = more ? in.skipSpace(at + 1) : at;
        }
        if (in.bytes[at] != '}') {
            throw in.unexpected("a comma or '}' should follow", at);
        }
        return at + 1;
    }

    private SeenField field(String name, boolean isGiven) {
        SeenField seen = byName.get(name);
        if (seen == null) {
            seen = new SeenField(new FieldKey(name), fields.size(), isGiven ? null : new JsonTypeInference(tools));
            fields.add(seen);
            byName.put(name, seen);
        }
        return seen;
    }

    private static final int MAX_FIELDS = 100_000;
    /// The length of a date, the shortest timestamp. The longest has a year of many digits, a fraction with many zeros
    /// and an offset.
    private static final int MIN_TIME_LENGTH = 10;

    private static final int MAX_TIME_LENGTH = 64;

    private void become(Kind other, JsonCursor in, int at) {
        if (kind == other || kind == Kind.DOUBLE && other == Kind.INT || kind == Kind.TEXT && isTime(other)) {
            return;
        }
        if (isTime(kind) && isTime(other)) {
            kind = Kind.TEXT;
            return;
        }
        boolean widens =
                kind == Kind.NULL || kind == Kind.INT && other == Kind.DOUBLE || isTime(kind) && other == Kind.TEXT;
        if (!widens) {
            throw clash(
                    "values before were " + (kind == Kind.INT ? DataType.INT64 : type()) + ", and there is "
                            + in.kindAt(at) + ": " + in.excerpt(at),
                    at);
        }
        kind = other;
    }

    private static boolean isTime(Kind kind) {
        return kind == Kind.TIME || kind == Kind.ZONED_TIME;
    }
}
