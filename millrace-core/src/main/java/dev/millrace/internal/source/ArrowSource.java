package dev.millrace.internal.source;

import dev.millrace.arrow.IpcFile;
import dev.millrace.arrow.IpcReader;
import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ReadArrow;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.storage.StoredFile;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Arrow IPC files. The first one's schema counts for all: columns that a later file lacks are null there; one that has
/// no type in it, only nulls, has that of the first file that knows one. A file in the file format is split between its
/// record batches; one in the stream format is one split.
public final class ArrowSource implements Source {
    private static final long serialVersionUID = 1L;
    private static final List<String> ENDINGS = List.of(".arrow", ".arrows", ".feather", ".ipc");
    private static final byte[] FILE_MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);

    private final String name;
    private final List<String> files;
    private final ArrowColumns columns;
    /// Counted at the first question; both are benign races.
    private transient OptionalLong rows;

    private transient long[] sizes;

    private ArrowSource(String name, List<String> files, ArrowColumns columns) {
        this.name = name;
        this.files = files;
        this.columns = columns;
    }

    public static ArrowSource files(List<String> paths, ReadArrow options) {
        List<StoredFile> found = new PathListing("readArrow", ENDINGS).list(paths);
        String name = "Arrow(" + (paths.size() == 1 ? paths.getFirst() : found.size() + " files") + ")";
        return new ArrowSource(
                name,
                found.stream().map(StoredFile::path).toList(),
                ArrowColumns.all(schemaOf(found), options.paths()));
    }

    private static Schema schemaOf(List<StoredFile> files) {
        Schema schema = schemaOf(Path.of(files.getFirst().path()));
        for (int i = 1; i < files.size() && hasUntyped(schema); i++) {
            Schema next = schemaOf(Path.of(files.get(i).path()));
            schema = Schema.of(schema.fields().stream()
                    .map(field -> isUntyped(field) && next.contains(field.name())
                            ? new Field(field.name(), next.type(field.name()))
                            : field)
                    .toList());
        }
        return schema;
    }

    private static boolean hasUntyped(Schema schema) {
        return schema.fields().stream().anyMatch(ArrowSource::isUntyped);
    }

    private static boolean isUntyped(Field field) {
        return field.type().equals(DataType.NULL);
    }

    private static Schema schemaOf(Path file) {
        Allocator scratch = Allocator.collected("the schema of " + file);
        if (isFileFormat(file)) {
            try (IpcFile arrow = IpcFile.open(file, scratch)) {
                return arrow.schema();
            }
        }
        try (IpcReader reader = openStream(file, scratch)) {
            return reader.schema();
        }
    }

    private static boolean isFileFormat(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(FILE_MAGIC.length), FILE_MAGIC);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static IpcReader openStream(Path file, Allocator allocator) {
        try {
            return IpcReader.of(FileChannel.open(file), allocator);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static MillraceException unreadable(Path file, IOException e) {
        return new MillraceException(Culprit.RESOURCES, "'" + file + "' could not be read: " + e.getMessage(), e);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<Schema> schema() {
        return Optional.of(columns.output());
    }

    /// Of files in the file format their footers tell; a stream must be read.
    @Override
    public OptionalLong rows() {
        if (rows == null) {
            rows = countRows();
        }
        return rows;
    }

    private OptionalLong countRows() {
        long sum = 0;
        Allocator scratch = Allocator.collected("footers");
        for (String file : files) {
            Path path = Path.of(file);
            if (!isFileFormat(path)) {
                return OptionalLong.empty();
            }
            try (IpcFile arrow = IpcFile.open(path, scratch)) {
                sum += IntStream.range(0, arrow.batches())
                        .mapToLong(arrow::rows)
                        .sum();
            }
        }
        return OptionalLong.of(sum);
    }

    @Override
    public OptionalLong sizeBytes() {
        return OptionalLong.of(Arrays.stream(sizes()).sum());
    }

    private long[] sizes() {
        if (sizes == null) {
            sizes = files.stream().mapToLong(file -> sizeOf(Path.of(file))).toArray();
        }
        return sizes;
    }

    private static long sizeOf(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    @Override
    public List<String> inputFiles() {
        return files;
    }

    @Override
    public Optional<Source> project(List<String> names) {
        return Optional.of(new ArrowSource(name, files, columns.project(names)));
    }

    /// Each file gets its share of the splits by its size.
    @Override
    public Iterator<Split> splits(SplitRequest request) {
        double perSplit = Math.max(1, (double) sizeBytes().getAsLong() / request.parallelism());
        return IntStream.range(0, files.size())
                .boxed()
                .flatMap(i -> splitsOf(files.get(i), (int) Math.max(1, Math.round(sizes()[i] / perSplit))))
                .iterator();
    }

    private Stream<Split> splitsOf(String file, int wanted) {
        Path path = Path.of(file);
        if (!isFileFormat(path)) {
            return Stream.of(new ArrowSplit(file, columns, -1, -1));
        }
        int batches;
        try (IpcFile arrow = IpcFile.open(path, Allocator.collected("footer"))) {
            batches = arrow.batches();
        }
        int count = Math.min(wanted, batches);
        return IntStream.range(0, count)
                .mapToObj(i -> new ArrowSplit(
                        file, columns, (int) ((long) batches * i / count), (int) ((long) batches * (i + 1) / count)));
    }

    /// @param from,to record batches; -1: a stream
    private record ArrowSplit(String file, ArrowColumns columns, int from, int to) implements Split {
        @Override
        public String description() {
            return file + (from < 0 ? "" : ", batches " + from + "-" + (to - 1));
        }

        @Override
        public List<String> inputFiles() {
            return List.of(file);
        }

        @Override
        public SplitReader open(ReadContext context) {
            return from < 0 ? new StreamReader(this, context) : new BatchReader(this, context);
        }
    }

    private static final class BatchReader extends ChunkedReader {
        private final ArrowSplit split;
        private final ReadContext context;
        private final IpcFile arrow;
        private final List<String> wanted;
        private int at;

        BatchReader(ArrowSplit split, ReadContext context) {
            super(context.chunkBytes());
            this.split = split;
            this.context = context;
            this.arrow = IpcFile.open(Path.of(split.file), context.allocator());
            this.wanted = split.columns.wantedOf(arrow.schema());
            this.at = split.from;
        }

        @Override
        Block nextBlock() {
            if (at == split.to) {
                return null;
            }
            int batch = at++;
            Block block = wanted.isEmpty()
                    ? Block.of(Schema.empty(), List.of(), arrow.rows(batch))
                    : arrow.read(batch, wanted);
            return split.columns.conform(context.allocator(), block, split.file);
        }

        @Override
        void closeInput() {
            arrow.close();
        }
    }

    private static final class StreamReader extends ChunkedReader {
        private final ArrowSplit split;
        private final ReadContext context;
        private final IpcReader arrow;

        StreamReader(ArrowSplit split, ReadContext context) {
            super(context.chunkBytes());
            this.split = split;
            this.context = context;
            this.arrow = openStream(Path.of(split.file), context.allocator());
        }

        @Override
        Block nextBlock() {
            Block block = arrow.next();
            return block == null ? null : split.columns.conform(context.allocator(), block, split.file);
        }

        @Override
        void closeInput() {
            arrow.close();
        }
    }
}
