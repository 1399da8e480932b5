package dev.millrace.internal.avro;

import dev.millrace.internal.binary.FeedReader;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Avro object container files: a column for each field of their records. They are split between blocks.
///
/// @param wideDecimals null if such decimals are errors; see [dev.millrace.source.ReadAvro]
public record AvroFormat(@Nullable DataType wideDecimals) implements ReadFormat {
    /// The column name for files whose schema is not a record.
    private static final String COLUMN = "value";

    public AvroFormat() {
        this(null);
    }

    @Override
    public String name() {
        return "Avro";
    }

    @Override
    public String verb() {
        return "readAvro";
    }

    @Override
    public List<String> endings() {
        return List.of(".avro");
    }

    @Override
    public boolean isSplittable() {
        return true;
    }

    @Override
    public double expansion() {
        return 3;
    }

    static List<AvroType.Member> members(AvroType schema) {
        return schema instanceof AvroType.Composite composite
                ? composite.members()
                : List.of(new AvroType.Member(COLUMN, schema));
    }

    @Override
    public Schema schema(FileRange first, ReadContext context) throws IOException {
        try (FeedReader in = FeedReader.of(first, context.allocator())) {
            AvroHeader header = AvroHeader.read(in, wideDecimals);
            return Schema.of(members(header.schema()).stream()
                    .map(member -> new Field(member.name(), ColumnTypes.of(member.type())))
                    .toList());
        }
    }

    @Override
    public SplitReader open(FileRange range, WantedColumns wanted, ReadContext context) throws IOException {
        return new AvroReader(this, range, wanted, context);
    }
}
