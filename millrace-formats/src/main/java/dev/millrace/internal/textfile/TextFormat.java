package dev.millrace.internal.textfile;

import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.ReadText;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Reads lines of text as rows of one column.
public record TextFormat(ReadText options) implements ReadFormat {
    public static final String COLUMN = "text";
    static final Schema SCHEMA = Schema.of(COLUMN, DataType.UTF8);

    @Override
    public String name() {
        return "Text";
    }

    @Override
    public String verb() {
        return "readText";
    }

    /// Matches all files of a folder.
    @Override
    public List<String> endings() {
        return List.of();
    }

    @Override
    public boolean isSplittable() {
        return charset().equals(StandardCharsets.UTF_8);
    }

    /// ASCII is read as UTF-8.
    private Charset charset() {
        Charset charset = Charset.forName(options.encoding());
        return charset.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : charset;
    }

    @Override
    public double expansion() {
        return 1.1;
    }

    @Override
    public boolean hasFixedColumns() {
        return true;
    }

    @Override
    public Schema schema(FileRange first, ReadContext context) {
        return SCHEMA;
    }

    @Override
    public SplitReader open(FileRange range, WantedColumns wanted, ReadContext context) {
        return new LineReader(range, context, charset(), options);
    }
}
