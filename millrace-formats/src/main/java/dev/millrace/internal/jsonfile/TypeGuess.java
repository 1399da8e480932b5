package dev.millrace.internal.jsonfile;

import static dev.millrace.internal.json.JsonSyntaxException.clash;
import static dev.millrace.internal.json.JsonSyntaxException.earlier;
import static dev.millrace.internal.json.JsonSyntaxException.wrong;

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
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/// The type of the values seen so far in one place: int64, float64 once one has a fraction or an exponent, bool,
/// timestamp[s] while every string is one without an offset from UTC, timestamp[s, UTC] while every string is one with
/// it, utf8 otherwise, lists, structs of all fields seen, null while there is nothing else. Nearly the same that
/// pyarrow
/// takes them for. Values of two kinds are a clash, and integers beyond int64 in a place that has only integers.
final class TypeGuess {
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

    /// Behind such an integer.
    static final String BEYOND_INT64 = ", which is beyond int64: name the type, float64, utf8 or a decimal";

    private Kind kind = Kind.NULL;
    /// The first integer beyond int64, and its place.
    private String beyond;

    private String beyondWhere;

    private TypeGuess element;
    private Map<String, TypeGuess> fields;

    /// Shared by the guesses of one sample.
    private final Tools tools;

    /// @param where the words for a place in the cursor
    private record Tools(JsonNumbers numbers, TextScratch scratch, IntFunction<String> where) {}

    private TypeGuess(Tools tools) {
        this.tools = tools;
    }

    /// Of values of any kind.
    static TypeGuess ofValues() {
        return of(_ -> "");
    }

    private static TypeGuess of(IntFunction<String> where) {
        return new TypeGuess(new Tools(new JsonNumbers(), new TextScratch(), where));
    }

    /// @param where the words for a place in the cursor
    static TypeGuess ofRecords(IntFunction<String> where) {
        TypeGuess records = of(where);
        records.kind = Kind.STRUCT;
        records.fields = new LinkedHashMap<>();
        return records;
    }

    /// Learns of a record.
    ///
    /// @param given fields whose type is not to be guessed
    int record(JsonCursor in, int at, Set<String> given) {
        return object(in, at, 0, given);
    }

    Schema schema() {
        List<Field> all = new ArrayList<>();
        fields.forEach((name, guess) -> all.add(new Field(name, guess.type("in column '" + name + "' "))));
        return Schema.of(all);
    }

    /// @throws JsonSyntaxException of an earlier place, for integers beyond int64
    DataType type() {
        return switch (kind) {
            case NULL -> DataType.NULL;
            case BOOL -> DataType.BOOL;
            case INT -> {
                if (beyond != null) {
                    throw earlier("there is the integer " + beyond + BEYOND_INT64, beyondWhere);
                }
                yield DataType.INT64;
            }
            case DOUBLE -> DataType.FLOAT64;
            case TIME -> DataType.timestamp(TimeUnit.SECOND);
            case ZONED_TIME -> DataType.timestamp(TimeUnit.SECOND, "UTC");
            case TEXT -> DataType.UTF8;
            case LIST -> DataType.list(element == null ? DataType.NULL : element.type());
            case STRUCT -> {
                List<Field> all = new ArrayList<>();
                fields.forEach((name, guess) -> all.add(new Field(name, guess.type("in its field '" + name + "' "))));
                yield new DataType.Struct(all);
            }
        };
    }

    private DataType type(String where) {
        try {
            return type();
        } catch (JsonSyntaxException e) {
            throw earlier(where + e.getMessage(), e.where());
        }
    }

    /// Learns of a value.
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
                if (fields == null) {
                    fields = new LinkedHashMap<>();
                }
                yield object(in, at, depth, Set.of());
            }
            default -> {
                int end = tools.numbers.read(in, at);
                if (!tools.numbers.isLong && tools.numbers.isInteger) {
                    become(kind == Kind.DOUBLE ? Kind.DOUBLE : Kind.INT, in, at);
                    if (beyond == null) {
                        beyond = in.excerpt(at);
                        beyondWhere = tools.where.apply(at);
                    }
                } else {
                    become(tools.numbers.isLong ? Kind.INT : Kind.DOUBLE, in, at);
                }
                yield end;
            }
        };
    }

    /// Of the string that the cursor has read.
    private Kind textKind(JsonCursor in) {
        int length = in.textTo - in.textFrom;
        if (length < MIN_TIME_LENGTH || length > MAX_TIME_LENGTH) {
            return Kind.TEXT;
        }
        tools.scratch.put(in.text, in.textFrom, in.textTo);
        MemorySegment text = tools.scratch.bytes();
        boolean isZoned = TimeText.hasOffset(text, 0, length);
        ZoneClock clock = isZoned ? ZoneClock.UTC : null;
        return TimeText.timestamp(text, 0, length, TimeUnit.SECOND, clock) == TimeText.NO_TIME
                ? Kind.TEXT
                : isZoned ? Kind.ZONED_TIME : Kind.TIME;
    }

    private int array(JsonCursor in, int from, int depth) {
        in.requireDepth(depth, from);
        int at = in.skipSpace(from + 1);
        boolean more = in.bytes[at] != ']';
        while (more) {
            if (element == null) {
                element = new TypeGuess(tools);
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
        while (more) {
            if (in.bytes[at] != '"') {
                throw in.unexpected("a key in quotes should follow", at);
            }
            int keyAt = at;
            at = in.string(at);
            String key = new String(in.text, in.textFrom, in.textTo - in.textFrom, StandardCharsets.UTF_8);
            at = in.colon(at);
            TypeGuess field = fields.computeIfAbsent(key, _ -> new TypeGuess(tools));
            if (fields.size() > MOST_FIELDS) {
                throw wrong("an object has more than " + MOST_FIELDS + " fields: is it a map?", keyAt);
            }
            if (given.contains(key)) {
                at = in.skipValue(at);
            } else {
                try {
                    at = field.value(in, at, depth + 1);
                } catch (JsonSyntaxException e) {
                    throw depth == 0 && e.isClash() ? clash("in column '" + key + "' " + e.getMessage(), e.at()) : e;
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

    private static final int MOST_FIELDS = 100_000;
    /// A date; a date with a year of many digits, a time with many zeros, an offset.
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
