package dev.millrace.source;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.block.Block;
import dev.millrace.files.FileSource;
import dev.millrace.internal.csv.CsvFormat;
import dev.millrace.internal.jsonfile.JsonFormat;
import dev.millrace.internal.source.ArrowReadFormat;
import dev.millrace.internal.textfile.TextFormat;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.storage.LastingIOException;
import dev.millrace.testing.WebServer;
import dev.millrace.type.DataType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Parts of one file of a web server that several tasks read are parts of one version of it: of the one that the read
/// was planned with.
@Timeout(60)
class ChangingRemoteFilesTest {
    private static final int ROWS = 80_000;
    private static final int CHUNK_BYTES = 1 << 16;

    enum Format {
        ARROW(new ArrowReadFormat(), (rows, to) -> rows.writeArrow(to)),
        CSV(new CsvFormat(ReadCsv.defaults()), (rows, to) -> rows.writeCsv(to)),
        JSON(new JsonFormat(ReadJson.defaults()), (rows, to) -> rows.writeJson(to)),
        TEXT(new TextFormat(ReadText.defaults()), (rows, to) -> rows.writeText(to, "text"));

        private final ReadFormat format;
        private final BiConsumer<Dataset, String> writing;
        private byte[] bytes;

        Format(ReadFormat format, BiConsumer<Dataset, String> writing) {
            this.format = format;
            this.writing = writing;
        }
    }

    @TempDir
    static Path folder;

    private static final WebServer SERVER = new WebServer();

    @BeforeAll
    static void write() throws IOException {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Dataset rows = session.range(ROWS, 1)
                    .withColumn("text", col("id").plus(100_000_000).cast(DataType.UTF8));
            for (Format format : Format.values()) {
                Path place = folder.resolve("in-" + format);
                format.writing.accept(rows, place.toString());
                try (Stream<Path> files = Files.list(place)) {
                    format.bytes = Files.readAllBytes(
                            files.filter(file -> !file.getFileName().toString().startsWith("_"))
                                    .findFirst()
                                    .orElseThrow());
                }
            }
        }
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static List<Split> splits(String address, Format format, int count) {
        FileSource source = FileSource.of(List.of(address), format.format, FileReads.defaults());
        List<Split> splits = new ArrayList<>();
        source.splits(new SplitRequest(count, false, 1, Long.MAX_VALUE)).forEachRemaining(splits::add);
        return splits;
    }

    private static long read(Split split) throws Exception {
        try (Allocator allocator = Allocator.root("test", 1 << 28)) {
            long rows = 0;
            try (SplitReader reader = shipped(split).open(new ReadContext(allocator, CHUNK_BYTES))) {
                for (Block block = reader.next(); block != null; block = reader.next()) {
                    rows += block.rows();
                    block.close();
                }
            }
            assertThat(allocator.heldBytes()).isZero();
            return rows;
        }
    }

    /// As a worker gets it.
    private static Split shipped(Split split) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(split);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (Split) in.readObject();
        }
    }

    /// The same length, other contents.
    private static byte[] other(byte[] bytes) {
        byte[] other = bytes.clone();
        other[bytes.length / 2] ^= 1;
        return other;
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void aFileThatIsReplacedBetweenTwoOfItsPartsIsAnError(Format format) throws Exception {
        SERVER.put("file", format.bytes);
        String address = SERVER.address("ranges", "file");
        List<Split> parts = splits(address, format, 3);
        assertThat(parts).hasSizeGreaterThan(1);
        assertThat(read(parts.getFirst())).isPositive();
        SERVER.put("file", other(format.bytes));
        assertThatThrownBy(() -> read(parts.getLast()))
                .isInstanceOf(LastingIOException.class)
                .hasMessage("'" + address + "' was replaced by another file while it was read. Read it again when it"
                        + " is whole, or read a copy.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "dated", "nohead", "chunked"})
    void itIsNoticedHoweverTheServerTellsVersions(String way) throws Exception {
        SERVER.put("file", Format.CSV.bytes);
        String address = SERVER.address(way, "file");
        List<Split> parts = splits(address, Format.CSV, 3);
        assertThat(parts).hasSize(way.equals("chunked") ? 1 : 3);
        if (!way.equals("chunked")) {
            assertThat(read(parts.getFirst())).isPositive();
        }
        SERVER.put("file", other(Format.CSV.bytes));
        assertThatThrownBy(() -> read(parts.getLast()))
                .isInstanceOf(LastingIOException.class)
                .hasMessageContaining("'" + address + "' was replaced by another file while it was read.");
    }

    /// Lengths are all that is left to compare.
    @ParameterizedTest
    @CsvSource({"-1000,was shortened from ", "1000,was replaced by another file while it was read."})
    void ofAServerThatTellsNoVersionsLengthsAreCompared(int more, String sentence) throws Exception {
        byte[] bytes = Format.CSV.bytes;
        SERVER.put("file", bytes);
        List<Split> parts = splits(SERVER.address("bare", "file"), Format.CSV, 3);
        assertThat(read(parts.getFirst())).isPositive();
        SERVER.put("file", Arrays.copyOf(bytes, bytes.length + more));
        assertThatThrownBy(() -> read(parts.getLast()))
                .isInstanceOf(LastingIOException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void aFileThatStaysIsReadPartByPart() throws Exception {
        SERVER.put("file", Format.CSV.bytes);
        for (String way : List.of("ranges", "plain", "dated", "bare", "nohead", "chunked")) {
            long rows = 0;
            for (Split part : splits(SERVER.address(way, "file"), Format.CSV, 3)) {
                rows += read(part);
            }
            assertThat(rows).as(way).isEqualTo(ROWS);
        }
    }

    @Test
    void aFileThatChangesBetweenTwoRunsIsReadAsItIs() {
        SERVER.put("file", Format.CSV.bytes);
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Dataset rows = session.readCsv(SERVER.address("ranges", "file"));
            assertThat(rows.takeAll()).hasSize(ROWS);
            SERVER.put("file", "id,text\n7,8\n".getBytes(StandardCharsets.UTF_8));
            assertThat(rows.takeAll()).extracting(row -> row.get("id")).containsExactly(7L);
        }
    }
}
