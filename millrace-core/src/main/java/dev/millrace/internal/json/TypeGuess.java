package dev.millrace.internal.json;

import static dev.millrace.internal.json.JsonSyntaxException.clash;
import static dev.millrace.internal.json.JsonSyntaxException.wrong;

import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The type of the values seen so far in one place: int64, float64 once one has a fraction or is larger, bool,
/// timestamp[s]
/// while every string is one and utf8 otherwise, lists, structs of all fields seen, null while there is nothing else.
/// The same that pyarrow takes them for. Values of two kinds are a clash.
final class TypeGuess {
    private enum Kind {
        NULL,
        BOOL,
        INT,
        DOUBLE,
        TIME,
        TEXT,
        LIST,
        STRUCT
    }

    private Kind kind = Kind.NULL;
    private TypeGuess element;
    private Map<String, TypeGuess> fields;

    /// Shared by the guesses of one sample.
    private final Tools tools;

    private record Tools(JsonNumbers numbers, IsoTimes times) {}

    private TypeGuess(Tools tools) {
        this.tools = tools;
    }

    /// Of values of any kind.
    static TypeGuess ofValues() {
        return new TypeGuess(new Tools(new JsonNumbers(), new IsoTimes()));
    }

    static TypeGuess ofRecords() {
        TypeGuess records = ofValues();
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
        return Schema.of(((DataType.Struct) type()).fields());
    }

    DataType type() {
        return switch (kind) {
            case NULL -> DataType.NULL;
            case BOOL -> DataType.BOOL;
            case INT -> DataType.INT64;
            case DOUBLE -> DataType.FLOAT64;
            case TIME -> DataType.timestamp(TimeUnit.SECOND);
            case TEXT -> DataType.UTF8;
            case LIST -> DataType.list(element == null ? DataType.NULL : element.type());
            case STRUCT -> {
                List<Field> all = new ArrayList<>();
                fields.forEach((name, guess) -> all.add(new Field(name, guess.type())));
                yield new DataType.Struct(all);
            }
        };
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
                boolean time =
                        kind != Kind.TEXT && tools.times.timestamp(in.text, in.textFrom, in.textTo, TimeUnit.SECOND);
                become(time ? Kind.TIME : Kind.TEXT, in, at);
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
                become(tools.numbers.isLong ? Kind.INT : Kind.DOUBLE, in, at);
                yield end;
            }
        };
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

    private void become(Kind other, JsonCursor in, int at) {
        if (kind == other || kind == Kind.DOUBLE && other == Kind.INT || kind == Kind.TEXT && other == Kind.TIME) {
            return;
        }
        boolean widens = kind == Kind.NULL
                || kind == Kind.INT && other == Kind.DOUBLE
                || kind == Kind.TIME && other == Kind.TEXT;
        if (!widens) {
            throw clash("values before were " + type() + ", and there is " + in.kindAt(at) + ": " + in.excerpt(at), at);
        }
        kind = other;
    }
}
