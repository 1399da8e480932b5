package dev.millrace.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.error.MillraceException;
import dev.millrace.files.FileSource;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What [FileSource] does for every format, seen with the smallest one: a number per line.
class FileSourceTest {
    @TempDir
    Path folder;

    /// Lines of digits, read whole.
    private record Digits(boolean isSplittable, boolean hasRowPerFile) implements ReadFormat {
        Digits(boolean isSplittable) {
            this(isSplittable, false);
        }

        @Override
        public String name() {
            return "Digits";
        }

        @Override
        public String verb() {
            return "readDigits";
        }

        @Override
        public List<String> endings() {
            return List.of(".num");
        }

        @Override
        public Schema schema(FileRange first, ReadContext context) {
            return Schema.of(List.of(new Field("n", DataType.INT64)));
        }

        @Override
        public SplitReader open(FileRange range, WantedColumns wanted, ReadContext context) throws IOException {
            List<Long> numbers = new ArrayList<>();
            Buffer whole = range.readAll(context.allocator(), 0);
            byte[] bytes = whole.segment().toArray(ValueLayout.JAVA_BYTE);
            whole.release();
            int start = 0;
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    if (start >= range.from() && start < range.to()) {
                        numbers.add(Long.parseLong(new String(bytes, start, i - start, StandardCharsets.US_ASCII)));
                    }
                    start = i + 1;
                }
            }
            return new SplitReader() {
                private boolean given;

                @Override
                public Block next() {
                    if (given) {
                        return null;
                    }
                    given = true;
                    if (!wanted.contains("n")) {
                        return Block.of(Schema.empty(), List.of(), numbers.size());
                    }
                    Column column = Columns.of(context.allocator(), DataType.INT64, numbers);
                    return Block.of(
                            Schema.of(List.of(new Field("n", DataType.INT64))), List.of(column), numbers.size());
                }
            };
        }
    }

    private void write(String name, int from, int to) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(
                file, IntStream.range(from, to).mapToObj(i -> i + "\n").reduce("", String::concat));
    }

    private FileSource digits(FileReads options, String... paths) {
        return FileSource.of(List.of(paths), new Digits(true), options);
    }

    private static List<Object> numbers(Session session, Source source) {
        return session.read(source).takeAll().stream().map(row -> row.get("n")).toList();
    }

    @Test
    void largeFilesAreCutAndEveryRecordComesOnceInOrder() throws IOException {
        Files.writeString(
                folder.resolve("a.num"),
                IntStream.range(0, 300_000).mapToObj(i -> i + "\n").collect(java.util.stream.Collectors.joining()));
        FileSource source = digits(FileReads.defaults(), folder + "/a.num");
        List<Split> splits = new ArrayList<>();
        source.splits(new SplitRequest(7, false, 1, Long.MAX_VALUE)).forEachRemaining(splits::add);
        assertThat(splits).hasSize(7);
        assertThat(splits.getFirst().description()).endsWith("a.num, bytes 0-284126");
        try (Session session = Session.open()) {
            assertThat(numbers(session, source))
                    .isEqualTo(IntStream.range(0, 300_000)
                            .mapToObj(i -> (Object) (long) i)
                            .toList());
        }
    }

    @Test
    void formatsThatCannotBeCutAreReadWhole() throws IOException {
        write("a.num", 0, 100_000);
        FileSource source = FileSource.of(List.of(folder.toString()), new Digits(false), FileReads.defaults());
        List<Split> splits = new ArrayList<>();
        source.splits(new SplitRequest(7, false, 1, Long.MAX_VALUE)).forEachRemaining(splits::add);
        assertThat(splits).hasSize(1);
    }

    @Test
    void filesOfOneRowShareSplitsByWholeBatches() throws IOException {
        for (int i = 0; i < 100; i++) {
            write(String.format("%03d.num", i), i, i + 1);
        }
        FileSource source = FileSource.of(List.of(folder.toString()), new Digits(false, true), FileReads.defaults());

        assertThat(rowsOfSplits(source, new SplitRequest(90, false, 1, Long.MAX_VALUE, 16)))
                .containsExactly(16L, 16L, 16L, 16L, 16L, 16L, 4L);
        assertThat(rowsOfSplits(source, new SplitRequest(3, false, 1, Long.MAX_VALUE, 16)))
                .as("the nearest to a third of them")
                .containsExactly(32L, 32L, 32L, 4L);
        assertThat(rowsOfSplits(source, new SplitRequest(90, false, 1, 10, 16)))
                .as("not more bytes than a block has")
                .allMatch(rows -> rows < 16);
        assertThat(rowsOfSplits(digits(FileReads.defaults(), folder.toString()), new SplitRequest(50, false, 1, 1, 16)))
                .as("rows of other formats are not known")
                .allMatch(rows -> rows < 16);
    }

    private static List<Long> rowsOfSplits(FileSource source, SplitRequest request) {
        List<Long> rows = new ArrayList<>();
        source.splits(request).forEachRemaining(split -> {
            String description = split.description();
            int and = description.indexOf(" and ");
            rows.add(and < 0 ? 1 : 1 + Long.parseLong(description.substring(and + 5, description.indexOf(" more"))));
        });
        return rows;
    }

    @Test
    void smallFilesShareSplits() throws IOException {
        for (int i = 0; i < 100; i++) {
            write(String.format("%03d.num", i), i, i + 1);
        }
        FileSource source = digits(FileReads.defaults(), folder.toString());
        List<Split> splits = new ArrayList<>();
        source.splits(new SplitRequest(4, false, 1, Long.MAX_VALUE)).forEachRemaining(splits::add);
        assertThat(splits).hasSizeBetween(4, 5);
        assertThat(splits.getFirst().description()).contains("000.num and ").endsWith(" more files");
        try (Session session = Session.open()) {
            assertThat(numbers(session, source))
                    .hasSize(100)
                    .startsWith(0L, 1L, 2L)
                    .endsWith(98L, 99L);
        }
    }

    @Test
    void pathsAndFoldersBecomeColumns() throws IOException {
        write("year=2024/a.num", 0, 2);
        write("year=2025/b.num", 2, 3);
        FileSource source = digits(FileReads.defaults().includePaths(), folder.toString());
        assertThat(source.schema().orElseThrow().names()).containsExactly("n", "path", "year");
        try (Session session = Session.open()) {
            assertThat(session.read(source).takeAll().stream()
                            .map(row -> Map.of("n", row.get("n"), "y", row.get("year"))))
                    .containsExactly(
                            Map.of("n", 0L, "y", 2024L), Map.of("n", 1L, "y", 2024L), Map.of("n", 2L, "y", 2025L));
            assertThat(session.read(source).select("year").takeAll()).hasSize(3);
            assertThat(session.read(source).takeAll().getFirst().get("path")).isEqualTo(folder + "/year=2024/a.num");
        }
    }

    @Test
    void missingPathsAreIgnoredIfAskedFor() throws IOException {
        write("a.num", 0, 2);
        String there = folder + "/a.num";
        assertThatThrownBy(() -> digits(FileReads.defaults(), there, folder + "/b.num"))
                .isInstanceOf(MillraceException.class)
                .hasMessage("readDigits: there is no '" + folder + "/b.num'. In '" + folder + "' there is a.num.");
        FileSource source =
                digits(FileReads.defaults().ignoreMissingPaths(), there, folder + "/b.num", folder + "/c*.num");
        try (Session session = Session.open()) {
            assertThat(numbers(session, source)).containsExactly(0L, 1L);
        }
        assertThatThrownBy(() -> digits(FileReads.defaults().ignoreMissingPaths(), folder + "/b.num"))
                .hasMessageStartingWith("None of the paths is there. readDigits: there is no '");
    }

    @Test
    void aSeedDecidesTheOrderOfFiles() throws IOException {
        for (int i = 0; i < 20; i++) {
            write(i + ".num", i, i + 1);
        }
        try (Session session = Session.open()) {
            List<Object> plain = numbers(session, digits(FileReads.defaults(), folder.toString()));
            List<Object> shuffled = numbers(session, digits(FileReads.defaults().shuffleFiles(7), folder.toString()));
            assertThat(shuffled).isNotEqualTo(plain).containsExactlyInAnyOrderElementsOf(plain);
            assertThat(numbers(session, digits(FileReads.defaults().shuffleFiles(7), folder.toString())))
                    .isEqualTo(shuffled);
            assertThat(numbers(session, digits(FileReads.defaults().shuffleFiles(8), folder.toString())))
                    .isNotEqualTo(shuffled);
        }
    }

    @Test
    void emptyFilesGiveTheColumns() throws IOException {
        write("a.num", 0, 0);
        FileSource source = digits(FileReads.defaults().includePaths(), folder.toString());
        try (Session session = Session.open()) {
            assertThat(session.read(source).count()).isZero();
            assertThat(session.read(source).schema().names()).containsExactly("n", "path");
        }
    }

    @Test
    void packedFilesAreUnpackedByTheirEndingsOrAsTheUserSays() throws IOException {
        write("a.num", 0, 3);
        pack("b.num.gz", 3, 200_000);
        pack("c.num", 200_000, 200_003);
        try (Session session = Session.open()) {
            assertThat(numbers(session, digits(FileReads.defaults(), folder + "/a.num", folder + "/b.num.gz")))
                    .isEqualTo(LongStream.range(0, 200_000).boxed().toList());
            assertThat(numbers(session, digits(FileReads.defaults().compression("gzip"), folder + "/c.num")))
                    .containsExactly(200_000L, 200_001L, 200_002L);
            Files.delete(folder.resolve("c.num"));
            assertThat(numbers(session, digits(FileReads.defaults(), folder.toString())))
                    .hasSize(200_000);
        }
        assertThatThrownBy(() -> digits(FileReads.defaults().compression("rar"), folder + "/a.num"))
                .hasMessageStartingWith("There is no compression 'rar'.");
    }

    private void pack(String name, int from, int to) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
            StringBuilder text = new StringBuilder();
            IntStream.range(from, to).forEach(i -> text.append(i).append('\n'));
            out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void aSchemeThatNothingServesNamesTheArtifact() {
        assertThatThrownBy(() -> digits(FileReads.defaults(), "s3://bucket/a.num"))
                .hasMessage(
                        "'s3://bucket/a.num' needs the artifact dev.millrace:millrace-s3 on the class path. Add it.");
        assertThatThrownBy(() -> digits(FileReads.defaults(), "gopher://a.num"))
                .hasMessageContaining("there is no storage for 'gopher://'");
    }
}
