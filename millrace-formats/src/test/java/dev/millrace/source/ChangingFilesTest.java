package dev.millrace.source;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSource;
import dev.millrace.internal.avro.AvroFormat;
import dev.millrace.internal.csv.CsvFormat;
import dev.millrace.internal.jsonfile.JsonFormat;
import dev.millrace.internal.numpy.NumpyFormat;
import dev.millrace.internal.source.ArrowReadFormat;
import dev.millrace.internal.textfile.TextFormat;
import dev.millrace.internal.tfrecord.TfRecordFormat;
import dev.millrace.internal.webdataset.WebDatasetFormat;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.storage.LastingIOException;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A file that is shortened, replaced or written to while it is read is an error, in every format.
class ChangingFilesTest {
    private static final int ROWS = 80_000;
    private static final int CHUNK_BYTES = 1 << 16;

    enum Format {
        ARROW(new ArrowReadFormat(), (rows, to) -> rows.writeArrow(to)),
        AVRO(new AvroFormat(), (rows, to) -> rows.writeAvro(to)),
        CSV(new CsvFormat(ReadCsv.defaults()), (rows, to) -> rows.writeCsv(to)),
        JSON(new JsonFormat(ReadJson.defaults()), (rows, to) -> rows.writeJson(to)),
        NUMPY(new NumpyFormat(), (rows, to) -> rows.writeNumpy(to, "id")),
        TEXT(new TextFormat(ReadText.defaults()), (rows, to) -> rows.writeText(to, "text")),
        TFRECORD(new TfRecordFormat(ReadTfRecords.defaults()), (rows, to) -> rows.writeTfRecords(to)),
        WEBDATASET(
                new WebDatasetFormat(ReadWebDataset.defaults()),
                (rows, to) -> rows.limit(1_500)
                        .withColumn("__key__", col("text"))
                        .select("__key__", "text")
                        .rename("text", "txt")
                        .writeWebDataset(to));

        private final ReadFormat format;
        private final BiConsumer<Dataset, String> writing;

        Format(ReadFormat format, BiConsumer<Dataset, String> writing) {
            this.format = format;
            this.writing = writing;
        }
    }

    @TempDir
    static Path folder;

    @BeforeAll
    static void write() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Dataset rows = session.range(ROWS, 1)
                    .withColumn("text", col("id").plus(100_000_000).cast(DataType.UTF8));
            for (Format format : Format.values()) {
                format.writing.accept(rows, folder.resolve("in-" + format).toString());
            }
        }
    }

    private static Path copy(Format format) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("in-" + format))) {
            Path written = files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("_"))
                    .findFirst()
                    .orElseThrow();
            String name = written.getFileName().toString();
            Path copy = Files.createTempFile(folder, "copy-", name.substring(name.indexOf('.')));
            Files.copy(written, copy, StandardCopyOption.REPLACE_EXISTING);
            // Changed some time ago, so that each change shows.
            Files.setLastModifiedTime(copy, FileTime.fromMillis(System.currentTimeMillis() - 60_000));
            return copy;
        }
    }

    private static List<Split> splits(Path file, Format format, int count) {
        FileSource source = FileSource.of(List.of(file.toString()), format.format, FileReads.defaults());
        List<Split> splits = new ArrayList<>();
        source.splits(new SplitRequest(count, false, 1, Long.MAX_VALUE)).forEachRemaining(splits::add);
        return splits;
    }

    /// Reads to the end, and does something behind the first block.
    private static long read(Split split, Change change) throws Exception {
        try (Allocator allocator = Allocator.root("test", 1 << 28)) {
            long rows = 0;
            try (SplitReader reader = split.open(new ReadContext(allocator, CHUNK_BYTES))) {
                Block block = reader.next();
                change.apply();
                for (; block != null; block = reader.next()) {
                    rows += block.rows();
                    block.close();
                }
            }
            assertThat(allocator.heldBytes()).isZero();
            return rows;
        }
    }

    private interface Change {
        void apply() throws IOException;
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void aFileThatIsShortenedWhileItIsReadIsAnError(Format format) throws Exception {
        Path file = copy(format);
        long half = Files.size(file) / 2;
        Split whole = splits(file, format, 1).getFirst();
        assertThatThrownBy(() -> read(whole, () -> {
                    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                        open.setLength(half);
                    }
                }))
                .isInstanceOfAny(LastingIOException.class, MillraceException.class)
                .hasMessageContaining("'" + file + "' was shortened from ")
                .hasMessageEndingWith(" bytes while it was read. Read it again when it is whole, or read a copy.");
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void aFileThatIsWrittenToWhileItIsReadIsAnError(Format format) throws Exception {
        Path file = copy(format);
        Split whole = splits(file, format, 1).getFirst();
        assertThatThrownBy(() -> read(whole, () -> {
                    // The last bytes, which have been read or not.
                    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                        open.seek(open.length() - 1);
                        int last = open.read();
                        open.seek(open.length() - 1);
                        open.write(last);
                    }
                }))
                .isInstanceOf(LastingIOException.class)
                .hasMessageStartingWith("'" + file + "' was written to while it was read.");
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"ARROW", "AVRO", "CSV", "JSON", "NUMPY", "TEXT"})
    void aFileThatIsReplacedBetweenTwoOfItsPartsIsAnError(Format format) throws Exception {
        Path file = copy(format);
        List<Split> parts = splits(file, format, 3);
        assertThat(parts).hasSizeGreaterThan(1);
        long first = read(parts.getFirst(), () -> {
            Path other = copy(format);
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        });
        assertThat(first).as("what is open stays as it was").isPositive();
        assertThatThrownBy(() -> read(parts.getLast(), () -> {}))
                .isInstanceOf(LastingIOException.class)
                .hasMessageStartingWith("'" + file + "' was replaced by another file while it was read.");
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"CSV", "JSON", "TEXT"})
    void aFileThatGrowsIsReadAsItWasWhenItWasOpened(Format format) throws Exception {
        Path file = copy(format);
        Split whole = splits(file, format, 1).getFirst();
        long rows = read(whole, () -> Files.writeString(file, "more, of something else", StandardOpenOption.APPEND));
        assertThat(rows).isEqualTo(ROWS);
    }

    @ParameterizedTest
    @EnumSource(value = Format.class, names = "CSV")
    void aFileThatChangesBetweenTwoRunsIsReadAsItIs(Format format) throws Exception {
        Path file = copy(format);
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Dataset rows = session.readCsv(file.toString());
            assertThat(rows.takeAll()).hasSize(ROWS);
            Files.writeString(file, "id,text\n7,8\n");
            assertThat(rows.takeAll()).extracting(row -> row.get("id")).containsExactly(7L);
        }
    }
}
