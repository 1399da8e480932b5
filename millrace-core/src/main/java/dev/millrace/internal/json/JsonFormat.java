package dev.millrace.internal.json;

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
        Schema found =
                options.schema() != null ? options.schema() : new JsonSample(options, shape(), first, context).schema();
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
