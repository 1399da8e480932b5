package dev.millrace.internal.json;

import static dev.millrace.internal.json.JsonSyntaxException.MORE;

import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.ReadJson;
import dev.millrace.source.SplitReader;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// JSON: objects in lines, one after the other, or in one array.
public final class JsonFormat implements ReadFormat {
    private static final long serialVersionUID = 1L;

    private final ReadJson options;
    /// All columns of the files, set once by [#schema] when the source is made, before any reader is opened.
    private Schema known;

    public JsonFormat(ReadJson options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "JSON";
    }

    @Override
    public String verb() {
        return "readJson";
    }

    @Override
    public List<String> endings() {
        return List.of(".json", ".jsonl", ".ndjson");
    }

    /// Each file tells by its beginning whether its parts have records of their own.
    @Override
    public boolean isSplittable() {
        return options.layout() != ReadJson.Layout.VALUES;
    }

    @Override
    public double expansion() {
        return 0.6;
    }

    @Override
    public Schema schema(FileRange first, ReadContext context) throws IOException {
        Schema found = options.schema() != null ? options.schema() : sample(first, context);
        List<Field> fields = new ArrayList<>();
        for (Field field : found.fields()) {
            fields.add(new Field(field.name(), options.types().getOrDefault(field.name(), field.type())));
        }
        for (Map.Entry<String, DataType> given : options.types().entrySet()) {
            if (!found.contains(given.getKey())) {
                fields.add(new Field(given.getKey(), given.getValue()));
            }
        }
        known = Schema.of(fields);
        return known;
    }

    private Schema sample(FileRange first, ReadContext context) throws IOException {
        TypeGuess guess = TypeGuess.ofRecords();
        try (JsonRecords records = JsonRecords.open(first, shape(), context.allocator())) {
            try {
                int at = records.next();
                while (at >= 0 && records.place(at) < options.sampleBytes()) {
                    records.passed(record(guess, records, at));
                    at = records.next();
                }
            } catch (JsonSyntaxException e) {
                throw JsonErrors.of(e, first, records.placeOf(e), context.allocator());
            }
        }
        return guess.schema();
    }

    private int record(TypeGuess guess, JsonRecords records, int from) throws IOException {
        int at = from;
        while (true) {
            try {
                return guess.record(records.cursor(), at, options.types().keySet());
            } catch (JsonSyntaxException e) {
                if (e != MORE || !records.more()) {
                    throw e;
                }
                at = records.recordAt();
            }
        }
    }

    private JsonShape shape() {
        return switch (options.layout()) {
            case AUTO -> null;
            case LINES -> JsonShape.LINES;
            case VALUES -> JsonShape.VALUES;
        };
    }

    @Override
    public SplitReader open(FileRange range, Schema wanted, ReadContext context) {
        Set<String> lenient = new LinkedHashSet<>(options.types().keySet());
        if (options.schema() != null) {
            lenient.addAll(options.schema().names());
        }
        boolean strict = switch (options.unknown()) {
            case AUTO -> options.schema() == null;
            case IGNORE -> false;
            case ERROR -> true;
        };
        return new JsonReader(range, context, wanted, known, lenient, strict, shape());
    }
}
