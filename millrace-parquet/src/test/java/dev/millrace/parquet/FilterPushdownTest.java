package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.block.Block;
import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.memory.Allocator;
import dev.millrace.source.Source;
import dev.millrace.source.SplitRequest;
import dev.millrace.testing.Python;
import dev.millrace.testing.Seeds;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A filter that the read takes gives the same rows as one that is evaluated afterwards, whatever the file looks like.
class FilterPushdownTest {
    @TempDir
    static Path folder;

    @BeforeAll
    static void write() {
        Python.environment("test").run(FilterPushdownTest.class, "make_files.py", folder.toString());
    }

    private static List<Path> files(String... tables) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(".parquet"))
                    .filter(file -> Stream.of(tables)
                            .anyMatch(table -> file.getFileName().toString().startsWith(table + "--")))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void filtersGiveTheSameRowsInsideTheReadAsAfterIt() throws IOException {
        long seed = Seeds.seed();
        Random random = new Random(seed);
        List<Path> files = files("flat", "flat_required", "few", "few_required", "nested", "int96");
        for (int i = 0; i < 150; i++) {
            Path file = files.get(random.nextInt(files.size()));
            Expression filter = condition(file, random);
            String what = "seed " + seed + ", try " + i + ", " + file.getFileName() + ": " + filter;
            check(file, filter, what, random);
        }
    }

    private static Expression condition(Path file, Random random) {
        String name = file.getFileName().toString();
        List<Expression> parts = name.startsWith("flat")
                ? List.of(
                        col("int8").gt(random.nextInt(256) - 128),
                        col("uint16").le(random.nextInt(70_000)),
                        col("int32").eq(random.nextInt(19) - 9),
                        col("int64").lt(random.nextLong()),
                        col("uint8").isIn(0, 5, 255),
                        col("bool"),
                        col("bool").isNull(),
                        col("float64").gt(random.nextDouble()),
                        col("float32").ne(0.5f),
                        col("decimal5").ge(new BigDecimal("12.34")),
                        col("decimal38").lt(BigDecimal.ZERO),
                        col("date").ge(LocalDate.of(1990 + random.nextInt(40), 1, 1)),
                        col("local_us").lt(LocalDateTime.of(2100, 1, 1, 0, 0)),
                        col("string").eq("a"),
                        col("string").gt("word5"),
                        col("large_string").isNotNull(),
                        col("binary").isNull(),
                        col("int8").gt(col("int16")),
                        col("string").ne("word3").or(col("int8").isNull()))
                : name.startsWith("few")
                        ? List.of(
                                col("s").eq("yes"),
                                col("s").isNull(),
                                col("w").ne("bbb"),
                                col("one").eq("same"),
                                col("i").gt(random.nextInt(320)),
                                col("d").le(new BigDecimal("1.00")),
                                col("runs").eq((long) random.nextInt(7)),
                                col("runs").gt(4L),
                                col("nothing").isNull(),
                                col("nothing").eq("x"),
                                col("i").gt(col("runs")),
                                col("b"))
                        : name.startsWith("nested")
                                ? List.of(
                                        col("point").isNotNull(),
                                        col("ints").isNull(),
                                        col("point").field("x").gt(1L))
                                : List.of(col("t").gt(LocalDateTime.of(1980, 1, 1, 0, 0)), col("t").isNull());
        Expression all = parts.get(random.nextInt(parts.size()));
        for (int k = random.nextInt(3); k > 0; k--) {
            all = all.and(parts.get(random.nextInt(parts.size())));
        }
        return random.nextInt(6) == 0 ? all.not() : all;
    }

    private static void check(Path file, Expression filter, String what, Random random) {
        try (Allocator allocator = Allocator.root("reading", 1L << 30)) {
            Source source = ParquetFiles.source(file);
            List<String> all = source.schema().orElseThrow().names();
            List<String> wanted = new ArrayList<>(all);
            wanted.removeIf(name -> random.nextInt(4) == 0);
            Source pushed = source.filter(filter).orElseThrow().source();
            Map<String, List<Object>> expected = new LinkedHashMap<>();
            wanted.forEach(name -> expected.put(name, new ArrayList<>()));
            ParquetFiles.forEachBlock(source, allocator, 1 << 20, block -> {
                BoundExpression bound = BoundExpression.bind(filter, block.schema());
                SelectionVector selection = bound.select(block, allocator);
                add(expected, block, selection);
            });
            assertThat(source.filter(filter).orElseThrow().remainder()).isNull();
            assertThat(ParquetFiles.read(
                            pushed.project(wanted).orElseThrow(), allocator, 5_000 + random.nextInt(200_000)))
                    .as(what)
                    .isEqualTo(expected);
        }
    }

    private static void add(Map<String, List<Object>> target, Block block, SelectionVector selection) {
        target.forEach((name, values) -> {
            for (int i = 0; i < selection.count(); i++) {
                values.add(ParquetFiles.comparable(block.column(name).value(selection.position(i))));
            }
        });
    }

    @Test
    void rowGroupsThatCannotPassAreNotRead() throws IOException {
        // Row groups of 1100 rows; `runs` is the row divided by 500.
        Source source = ParquetFiles.source(folder.resolve("few_required--plain-v1-none.parquet"));
        Source late = source.filter(col("runs").ge(5L)).orElseThrow().source();
        List<String> splits = new ArrayList<>();
        late.splits(new SplitRequest(50, false, 1, 1 << 20)).forEachRemaining(split -> splits.add(split.description()));
        assertThat(splits).singleElement().asString().endsWith("row group 2");
        Source none = source.filter(col("runs").gt(99L)).orElseThrow().source();
        assertThat(none.splits(new SplitRequest(50, false, 1, 1 << 20)).hasNext())
                .isFalse();
    }

    @Test
    void rowsThatPassInSeveralPagesMakeOneChunk(@TempDir Path other) throws IOException {
        // Pages of 20,000 rows.
        try (Session session = Session.open()) {
            session.range(100_000)
                    .repartition(1)
                    .withColumn("tens", col("id").mod(10L))
                    .writeParquet(other.toString());
        }
        try (Allocator allocator = Allocator.root("reading", 1L << 30);
                Stream<Path> files = Files.list(other)) {
            Source source =
                    ParquetFiles.source(files.filter(file -> file.toString().endsWith(".parquet"))
                            .findFirst()
                            .orElseThrow());
            List<Long> rows = new ArrayList<>();
            List<Object> ids = new ArrayList<>();
            Source some = source.filter(col("tens").eq(3L)).orElseThrow().source();
            ParquetFiles.forEachBlock(some, allocator, 1 << 20, block -> {
                rows.add(block.rows());
                for (long i = 0; i < block.rows(); i++) {
                    ids.add(block.column("id").value(i));
                }
            });
            assertThat(rows).containsExactly(10_000L);
            assertThat(ids)
                    .isEqualTo(LongStream.range(0, 10_000)
                            .mapToObj(i -> 10 * i + 3)
                            .toList());
        }
    }
}
