package dev.millrace.internal.numpy;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.FeedReader;
import dev.millrace.internal.binary.FeedStreams;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/// Reads an `.npz` file: a ZIP archive of `.npy` files. Its arrays are stored one after the other, so rows are complete
/// only after the last one: the file is read as a whole and returned in chunks.
final class NpzReader implements SplitReader {
    private static final String ENDING = ".npy";

    private final FeedReader in;
    /// Null if only the schema is read.
    private final @Nullable WantedColumns wanted;

    private final NumpyFormat format;
    private final FileRange range;
    private final ReadContext context;
    /// Null before the first chunk.
    private @Nullable Block all;
    private long row;
    private boolean read;

    /// Takes ownership of `in`.
    NpzReader(FeedReader in, @Nullable WantedColumns wanted, NumpyFormat format, FileRange range, ReadContext context) {
        this.in = in;
        this.wanted = wanted;
        this.format = format;
        this.range = range;
        this.context = context;
    }

    /// Reads the schema; used once, instead of [#next].
    Schema schema() throws IOException {
        List<Field> fields = new ArrayList<>();
        visit((name, header, _) -> fields.add(new Field(name, new NpyColumns(header, in.path()).valueType())));
        return Schema.of(fields);
    }

    @Override
    public @Nullable Block next() throws IOException {
        if (!read) {
            read = true;
            all = readAll();
        }
        if (all == null || row == all.rows()) {
            return null;
        }
        long rows = Math.max(1, all.rows() * context.chunkBytes() / Math.max(1, all.sizeBytes()));
        long from = row;
        row = Math.min(all.rows(), from + rows);
        return all.slice(from, row - from);
    }

    private Block readAll() throws IOException {
        WantedColumns wanted = Objects.requireNonNull(this.wanted, "a reader of blocks has columns");
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        long[] rows = {-1};
        try (ResourceScope scope = new ResourceScope()) {
            scope.addAll(columns);
            visit((name, header, member) -> {
                if (rows[0] >= 0 && rows[0] != header.rows()) {
                    throw MillraceException.data("'" + in.path() + "': its arrays have " + rows[0] + " and "
                            + header.rows() + " rows ('" + name + "'). Arrays of one file become columns, so they need"
                            + " equally many.");
                }
                rows[0] = header.rows();
                wanted.requireKnown(List.of(name), range, format);
                if (!wanted.contains(name)) {
                    return;
                }
                NpyColumns decoder = new NpyColumns(header, in.path());
                long bytes = header.rows() * header.rowBytes();
                member.require(bytes, "array '" + name + "'");
                columns.add(decoder.copy(
                        context.allocator(), member.window().asSlice(member.at(), bytes), 0, header.rows()));
                fields.add(new Field(name, decoder.valueType()));
            });
            return scope.keep(Block.of(Schema.of(fields), columns, Math.max(0, rows[0])));
        }
    }

    private interface Visitor {
        void array(String name, NpyHeader header, FeedReader member) throws IOException;
    }

    private void visit(Visitor visitor) throws IOException {
        Set<String> names = new HashSet<>();
        try (ZipInputStream zip = new ZipInputStream(FeedStreams.stream(in))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.getName().endsWith(ENDING)) {
                    continue;
                }
                String name = entry.getName().substring(0, entry.getName().length() - ENDING.length());
                if (!names.add(name)) {
                    throw in.malformed("array '" + name + "' is there twice");
                }
                String path = in.path() + "/" + entry.getName();
                try (FeedReader member = FeedReader.of(path, FeedStreams.of(zip), context.allocator())) {
                    visitor.array(name, NpyHeader.read(member), member);
                }
            }
        } catch (ZipException | IllegalArgumentException | java.io.EOFException e) {
            throw in.malformed("the ZIP archive cannot be read: " + e.getMessage());
        }
        if (names.isEmpty()) {
            throw in.malformed("there are no arrays in the archive");
        }
    }

    @Override
    public void close() throws IOException {
        try {
            if (all != null) {
                all.close();
            }
        } finally {
            in.close();
        }
    }
}
