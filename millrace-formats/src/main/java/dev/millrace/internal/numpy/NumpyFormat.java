package dev.millrace.internal.numpy;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.binary.FeedReader;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/// Reads NumPy files: an `.npy` file as rows along its first dimension, in the column `data`; an `.npz` file as one
/// column per array, all with the same number of rows.
public record NumpyFormat() implements ReadFormat {
    static final String COLUMN = "data";

    @Override
    public String name() {
        return "Numpy";
    }

    @Override
    public String verb() {
        return "readNumpy";
    }

    @Override
    public List<String> endings() {
        return List.of(".npy", ".npz");
    }

    @Override
    public double expansion() {
        return 1;
    }

    @Override
    public boolean isSplittable() {
        return true;
    }

    @Override
    public Schema schema(FileRange first, ReadContext context) throws IOException {
        try (FeedReader in = FeedReader.of(first, context.allocator())) {
            if (isArchive(in)) {
                return new NpzReader(in, null, this, first, context).schema();
            }
            return Schema.of(COLUMN, new NpyColumns(NpyHeader.read(in), first.path()).valueType());
        }
    }

    @Override
    public OptionalLong rows(FileRange whole, ReadContext context) throws IOException {
        try (FeedReader in = FeedReader.of(whole, context.allocator())) {
            return isArchive(in)
                    ? OptionalLong.empty()
                    : OptionalLong.of(NpyHeader.read(in).rows());
        }
    }

    @Override
    public SplitReader open(FileRange range, WantedColumns wanted, ReadContext context) throws IOException {
        try (ResourceScope scope = new ResourceScope()) {
            FeedReader in = scope.add(FeedReader.of(range, context.allocator()));
            if (isArchive(in)) {
                return range.from() == 0 ? scope.keep(new NpzReader(in, wanted, this, range, context)) : () -> null;
            }
        }
        wanted.requireKnown(List.of(COLUMN), range, this);
        return new NpyReader(range, wanted.contains(COLUMN), context);
    }

    private static boolean isArchive(FeedReader in) throws IOException {
        return in.has(2)
                && in.window().get(JAVA_BYTE, in.at()) == 'P'
                && in.window().get(JAVA_BYTE, in.at() + 1) == 'K';
    }
}
