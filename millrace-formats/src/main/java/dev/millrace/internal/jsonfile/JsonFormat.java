package dev.millrace.internal.jsonfile;

import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.ReadJson;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads JSON: objects one per line, concatenated, or in one array.
public record JsonFormat(ReadJson options) implements ReadFormat {
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

    /// Whether a file can be split is decided per file, by its beginning.
    @Override
    public boolean isSplittable() {
        return options.layout() != ReadJson.Layout.VALUES;
    }

    @Override
    public double expansion() {
        return 0.6;
    }

    @Override
    public boolean hasFixedColumns() {
        return options.schema() != null;
    }

    @Override
    public Schema schema(FileRange file, ReadContext context) throws IOException {
        return options.schema() != null ? options.schema() : new JsonSample(options, shape(), file, context).schema();
    }

    /// Merged like types within one file: strings are timestamps only if all of them are.
    @Override
    public Optional<DataType> commonType(DataType one, DataType other) {
        boolean isText = one.equals(DataType.UTF8) && other instanceof DataType.Timestamp
                || other.equals(DataType.UTF8) && one instanceof DataType.Timestamp;
        return isText ? Optional.of(DataType.UTF8) : Types.common(one, other);
    }

    @Override
    public Schema settle(Schema union) {
        List<Field> fields = new ArrayList<>();
        for (Field field : union.fields()) {
            fields.add(new Field(field.name(), options.types().getOrDefault(field.name(), field.type())));
        }
        for (Map.Entry<String, DataType> given : options.types().entrySet()) {
            if (!union.contains(given.getKey())) {
                fields.add(new Field(given.getKey(), given.getValue()));
            }
        }
        return Schema.of(fields);
    }

    /// Null if it is detected.
    private @Nullable JsonShape shape() {
        return switch (options.layout()) {
            case AUTO -> null;
            case LINES -> JsonShape.LINES;
            case VALUES -> JsonShape.VALUES;
        };
    }

    @Override
    public SplitReader open(FileRange range, WantedColumns columns, ReadContext context) {
        Set<String> lenient = new LinkedHashSet<>(options.types().keySet());
        if (options.schema() != null) {
            lenient.addAll(options.schema().names());
        }
        boolean strict = switch (options.unknown()) {
            case AUTO -> options.schema() == null && !columns.isNamed();
            case IGNORE -> false;
            case ERROR -> true;
        };
        return new JsonReader(range, context, columns, lenient, strict, shape(), options.maxRecordBytes());
    }
}
