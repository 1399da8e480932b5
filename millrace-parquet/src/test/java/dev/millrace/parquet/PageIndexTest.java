package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.arrow.IpcFile;
import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.FileMetadata;
import dev.millrace.internal.parquet.format.OffsetIndex;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.memory.Allocator;
import dev.millrace.source.Source;
import dev.millrace.testing.Python;
import dev.millrace.testing.Seeds;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pages and row groups that page indexes and bloom filters rule out are left out, and no row more.
class PageIndexTest {
    private static final int ROWS = 20_000;

    @TempDir
    static Path folder;

    @BeforeAll
    static void write() {
        Python.environment("test").run(PageIndexTest.class, "indexed_files.py", folder.toString());
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(".parquet"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void filtersOverPagesGiveTheRowsThatPass() throws IOException {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        List<Path> files = files();
        try (Allocator allocator = Allocator.root("reading", 1L << 30);
                IpcFile arrow = IpcFile.open(folder.resolve("table.arrow"), allocator);
                Block table = arrow.read(0)) {
            for (int i = 0; i < 80; i++) {
                Path file = files.get(random.nextInt(files.size()));
                Expression filter = filter(random);
                String what = "seed " + seed + ", try " + i + ", " + file.getFileName() + ": " + filter;
                Source source = ParquetFiles.source(file);
                List<String> wanted =
                        new ArrayList<>(source.schema().orElseThrow().names());
                wanted.removeIf(_ -> random.nextInt(3) == 0);
                assertThat(ParquetFiles.read(
                                source.filter(filter)
                                        .orElseThrow()
                                        .source()
                                        .project(wanted)
                                        .orElseThrow(),
                                allocator,
                                10_000 + random.nextInt(1_000_000)))
                        .as(what)
                        .isEqualTo(expected(table, filter, wanted));
            }
        }
    }

    private static Map<String, List<Object>> expected(Block table, Expression filter, List<String> wanted) {
        Map<String, List<Object>> values = new LinkedHashMap<>();
        SelectionVector passing =
                BoundExpression.bind(filter, table.schema()).select(table, Allocator.collected("expected"));
        for (String name : wanted) {
            List<Object> list = new ArrayList<>();
            for (int i = 0; i < passing.count(); i++) {
                list.add(ParquetFiles.comparable(table.column(name).value(passing.position(i))));
            }
            values.put(name, list);
        }
        return values;
    }

    private static Expression filter(Random random) {
        long at = random.nextInt(ROWS);
        LocalDateTime time = LocalDateTime.ofEpochSecond(at, 0, ZoneOffset.UTC);
        List<Expression> parts = List.of(
                col("id").ge(at).and(col("id").lt(at + random.nextInt(900))),
                col("id").isIn(at, at + 1, (at + 7_777) % ROWS),
                col("part").eq(random.nextInt(20)),
                col("part").isNull(),
                col("part").isNotNull().and(col("id").gt(at)),
                col("price").lt(BigDecimal.valueOf(at, 2)),
                col("ratio").gt(at / 7.0),
                col("ratio").ne(at / 7.0).and(col("id").lt(300L)),
                col("at").gt(time).and(col("at").lt(time.plusSeconds(50))),
                col("word").eq("word %06d".formatted(at / 10)),
                col("word").ge("word 0019").or(col("id").lt(20L)),
                col("kind").eq("white"),
                col("kind").eq("black"),
                col("tags").isNull().and(col("id").gt(19_000L)),
                col("place").field("x").eq(at),
                col("id").plus(1L).eq(at));
        Expression all = parts.get(random.nextInt(parts.size()));
        return random.nextInt(3) > 0
                ? all
                : random.nextBoolean()
                        ? all.and(parts.get(random.nextInt(parts.size())))
                        : all.or(parts.get(random.nextInt(parts.size())));
    }

    /// What lies in unwanted pages may be anything: it is not looked at.
    @Test
    void pagesThatTheIndexRulesOutAreNotTouched(@TempDir Path changed) throws IOException {
        try (Allocator allocator = Allocator.root("reading", 1L << 30)) {
            for (Path file : files()) {
                if (!file.getFileName().toString().startsWith("index")) {
                    continue;
                }
                Expression filter = col("id").ge(9_000L).and(col("id").lt(9_010L));
                byte[] bytes = Files.readAllBytes(file);
                Path holes = changed.resolve("holes.parquet");
                Files.write(holes, bytes);
                List<String> columns = List.of("id", "code", "tags", "place");
                var wanted = read(ParquetFiles.source(holes), filter, columns, allocator);
                assertThat(wanted.get("id")).hasSize(10);
                // The ends of the columns `id` and `tags`.
                wipe(bytes, 12_000, 0, 8);
                Files.write(holes, bytes);
                assertThat(read(ParquetFiles.source(holes), filter, columns, allocator))
                        .as(file.getFileName().toString())
                        .isEqualTo(wanted);
                assertThatThrownBy(() -> ParquetFiles.forEachBlock(
                                ParquetFiles.source(holes), allocator, 1 << 20, Block::sizeBytes))
                        .isInstanceOf(MillraceException.class);
            }
        }
    }

    private static List<RowGroup> groups(byte[] bytes) {
        int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
        return FileMetadata.read(bytes, bytes.length - 8 - length, bytes.length - 8)
                .rowGroups();
    }

    /// Overwrites the pages of leaf columns that begin with this row or a later one.
    private static void wipe(byte[] bytes, long row, int... leaves) {
        RowGroup group = groups(bytes).getFirst();
        for (int leaf : leaves) {
            ColumnChunk chunk = group.columns().get(leaf);
            int place = (int) chunk.offsetIndexOffset();
            byte[] index = Arrays.copyOfRange(bytes, place, place + chunk.offsetIndexBytes());
            OffsetIndex pages = OffsetIndex.read(index, chunk, group.rows());
            int first = pages.pageOf(row) + 1;
            assertThat(first).isLessThan(pages.pages());
            Arrays.fill(bytes, (int) pages.offset(first), (int) pages.end(pages.pages() - 1), (byte) 0x5A);
        }
    }

    @Test
    void rowGroupsThatABloomFilterRulesOutAreNotRead() throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve("bloom.parquet"));
        for (ColumnChunk chunk : groups(bytes).getFirst().columns()) {
            Arrays.fill(bytes, (int) chunk.start(), (int) (chunk.start() + chunk.compressedBytes()), (byte) 0x5A);
        }
        Path emptied = Files.write(folder.resolve("emptied"), bytes);
        try (Allocator allocator = Allocator.root("reading", 1L << 30)) {
            // Within the bounds of the statistics, and not there.
            List<Expression> absent = List.of(
                    col("word").eq("word 000100x"),
                    col("word").isIn("word 00", "word 1"),
                    col("kind").eq("grey").and(col("id").gt(7L)),
                    col("price").eq(new BigDecimal("300.00")),
                    col("at").eq(LocalDateTime.ofEpochSecond(17, 5_000, ZoneOffset.UTC)),
                    col("ratio").eq(0.123),
                    col("code").eq(12_345L),
                    col("part").eq(7));
            List<String> untouched = new ArrayList<>();
            for (Expression filter : absent) {
                try {
                    assertThat(read(ParquetFiles.source(emptied), filter, List.of("id"), allocator))
                            .isEqualTo(Map.of("id", List.of()));
                    untouched.add(filter.toString());
                } catch (MillraceException e) {
                    // A bloom filter may say yes by chance.
                    assertThat(e).hasMessageContaining(emptied.toString());
                }
            }
            assertThat(untouched).hasSizeGreaterThanOrEqualTo(absent.size() - 2);
            Expression there = col("id").eq(4_321L).and(col("word").eq("word 000432"));
            assertThatThrownBy(() -> read(ParquetFiles.source(emptied), there, List.of("id"), allocator))
                    .isInstanceOf(MillraceException.class);
        }
    }

    private static Map<String, List<Object>> read(
            Source source, Expression filter, List<String> columns, Allocator allocator) {
        return ParquetFiles.read(
                source.filter(filter).orElseThrow().source().project(columns).orElseThrow(), allocator, 1 << 20);
    }
}
