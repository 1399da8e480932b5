package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static dev.millrace.Behaviour.column;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.arrow.IpcWriter;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.column.Tensor;
import dev.millrace.compression.IpcCompression;
import dev.millrace.source.ReadArrow;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Where datasets begin.
interface SourceBehaviour extends Behaviour {
    record Point(long x, String label) {}

    record Nested(int id, Point at) {}

    private List<Long> blockRows(Dataset dataset) {
        try (MaterializedDataset blocks = dataset.materialize()) {
            return blocks.blockReferences().stream().map(block -> block.rows()).toList();
        }
    }

    @Test
    default void rangeCountsFromZero() {
        assertThat(column("id", session().range(5))).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(session().range(5).schema()).isEqualTo(Schema.of("id", DataType.INT64));
    }

    @Test
    default void rangeIsCutIntoEqualBlocksAndOneForTheRest() {
        assertThat(blockRows(session().range(10, 3))).containsExactly(3L, 3L, 3L, 1L);
        assertThat(blockRows(session().range(2, 5))).containsExactly(1L, 1L);
        assertThat(blockRows(session().range(12, 3))).containsExactly(4L, 4L, 4L);
        // By default twice the CPUs.
        assertThat(blockRows(session().range(10))).hasSize(10);
        assertThat(blockRows(session().range(960_000)))
                .hasSize((int) (2 * session().resources().total().cpus()));
    }

    @Test
    default void rangeOfNothingHasColumnsAndNoRows() {
        Dataset none = session().range(0);
        assertThat(none.count()).isZero();
        assertThat(none.takeAll()).isEmpty();
        assertThat(none.columns()).containsExactly("id");
    }

    @Test
    default void aLargeRangeIsRightToTheLastNumber() {
        AtomicInteger wrong = new AtomicInteger();
        long[] next = {0};
        session().range(1_000_003).forEach(row -> {
            if (row.getLong("id") != next[0]++) {
                wrong.incrementAndGet();
            }
        });
        assertThat(next[0]).isEqualTo(1_000_003);
        assertThat(wrong).hasValue(0);
    }

    @Test
    default void rangeTensorFillsEachTensorWithItsNumber() {
        Dataset tensors = session().rangeTensor(3, 2, 2);
        assertThat(tensors.schema()).isEqualTo(Schema.of("data", DataType.tensor(DataType.INT64, 2, 2)));
        List<Row> rows = tensors.takeAll();
        Tensor last = rows.get(2).getTensor("data");
        assertThat(last.toLongs()).containsExactly(2, 2, 2, 2);
    }

    @Test
    default void scalarsBecomeTheColumnItem() {
        assertThat(session().items(1, 2).takeAll()).containsExactly(Row.of("item", 1), Row.of("item", 2));
        assertThat(session().items("a", null).takeAll()).containsExactly(Row.of("item", "a"), Row.of("item", null));
    }

    @Test
    default void integersAndDoublesBecomeDoubles() {
        Dataset mixed = session().items(Map.of("a", 1), Map.of("a", 2.5));
        assertThat(mixed.schema()).isEqualTo(Schema.of("a", DataType.FLOAT64));
        assertThat(column("a", mixed)).containsExactly(1.0, 2.5);
    }

    @Test
    default void whatARowLacksIsNull() {
        assertThat(session().items(Row.of("a", 1, "b", 2), Row.of("a", 3)).takeAll())
                .containsExactly(Row.of("a", 1, "b", 2), Row.of("a", 3, "b", null));
        assertThat(session().items(Row.of("a", 1), Row.of("a", 3, "b", 2)).takeAll())
                .containsExactly(Row.of("a", 1, "b", null), Row.of("a", 3, "b", 2));
    }

    @Test
    default void itemsAreSpreadOverBlocks() {
        List<Integer> items = IntStream.range(0, 10).boxed().toList();
        assertThat(blockRows(session().items(items, 3))).containsExactly(3L, 3L, 4L);
        assertThat(session().items(List.of()).takeAll()).isEmpty();
        assertThat(session().items(items).count()).isEqualTo(10);
    }

    @Test
    default void recordsBecomeTheirComponents() {
        Dataset points = session().records(Point.class, List.of(new Point(1, "a"), new Point(2, null)));
        assertThat(points.schema()).isEqualTo(Schema.of("x", DataType.INT64, "label", DataType.UTF8));
        assertThat(points.takeAll()).containsExactly(Row.of("x", 1L, "label", "a"), Row.of("x", 2L, "label", null));
        assertThat(session().items(new Point(1, "a")).takeAll()).containsExactly(Row.of("x", 1L, "label", "a"));
        assertThat(session().records(Point.class, List.of()).columns()).containsExactly("x", "label");
    }

    @Test
    default void recordsMayHoldRecords() {
        Dataset nested = session().records(Nested.class, List.of(new Nested(7, new Point(1, "a"))));
        try (var records = nested.iterRecords(Nested.class)) {
            assertThat(records.next()).isEqualTo(new Nested(7, new Point(1, "a")));
        }
    }

    @Test
    default void nestedValuesMakeTheRoundTrip() {
        Map<String, Object> struct = new HashMap<>();
        struct.put("x", 1L);
        Row row = Row.of("list", List.of(1L, 2L), "struct", struct, "bytes", new byte[] {1, 2});
        assertThat(session().items(row).takeAll()).containsExactly(row);
    }

    @Test
    default void anIteratorPerRunIsReadLazilyAndAgain() {
        AtomicInteger made = new AtomicInteger();
        Dataset numbers = session().fromIterator(() -> {
            made.incrementAndGet();
            return IntStream.range(0, 5000).iterator();
        });
        assertThat(made).hasValue(0);
        assertThat(numbers.count()).isEqualTo(5000);
        assertThat(numbers.takeAll()).hasSize(5000).last().isEqualTo(Row.of("item", 4999));
        assertThat(made).hasValue(2);
    }

    @Test
    default void aBareIteratorIsConsumedOnce() {
        Dataset once = session().fromIterator(List.of("a", "b").iterator());
        assertThat(column("item", once)).containsExactly("a", "b");
        assertError(once::takeAll)
                .hasMessageContaining("reads an iterator that was consumed before")
                .hasMessageContaining("materialize()");
    }

    @Test
    default void aStreamIsClosedAtTheEnd() {
        AtomicInteger closed = new AtomicInteger();
        Dataset rows = session().fromStream(Stream.of(1, 2, 3).onClose(closed::incrementAndGet));
        assertThat(column("item", rows)).containsExactly(1, 2, 3);
        assertThat(closed).hasValue(1);
    }

    @Test
    default void anEndlessIteratorEndsWithTheLimit() {
        Dataset endless =
                session().fromIterator(() -> Stream.iterate(0L, i -> i + 1).iterator());
        assertThat(column("item", endless.limit(3))).containsExactly(0L, 1L, 2L);
    }

    @Test
    default void aRowOfAnotherTypeLaterInAnIteratorIsNamed() {
        Dataset rows = session()
                .fromIterator(() -> IntStream.range(0, 3000)
                        .mapToObj(i -> i == 2000 ? (Object) "x" : (Object) i)
                        .iterator());
        assertError(rows::takeAll).hasMessageContaining("row 2000").hasMessageContaining("'x'");
    }

    private Block block(long from, long to) {
        Schema schema = Schema.of("a", DataType.INT64, "b", DataType.UTF8);
        try (BlockBuilder builder = new BlockBuilder(session().allocator(), schema, to - from)) {
            for (long i = from; i < to; i++) {
                builder.append(i, i % 3 == 0 ? null : "s" + i);
            }
            return builder.build();
        }
    }

    private Path write(String name, boolean file, long from, long to) throws IOException {
        Path path = folder().resolve(name);
        try (Block first = block(from, (from + to) / 2);
                Block second = block((from + to) / 2, to);
                IpcWriter writer = file
                        ? IpcWriter.file(
                                path,
                                first.schema(),
                                IpcCompression.NONE,
                                session().allocator())
                        : IpcWriter.stream(
                                Files.newOutputStream(path),
                                first.schema(),
                                IpcCompression.LZ4,
                                session().allocator())) {
            writer.write(first);
            writer.write(second);
        }
        return path;
    }

    @Test
    default void arrowFilesAndStreamsAreRead() throws IOException {
        write("a.arrow", true, 0, 100);
        write("b.arrows", false, 100, 200);
        Files.writeString(folder().resolve("note.txt"), "not Arrow");
        Dataset all = session().readArrow(folder().toString());
        List<Object> numbers = column("a", all);
        assertThat(numbers).hasSize(200).startsWith(0L, 1L).endsWith(198L, 199L);
        assertThat(all.inputFiles()).hasSize(2);
        assertThat(session().readArrow(folder() + "/*.arrow").count()).isEqualTo(100);
        assertThat(session().readArrow(folder() + "/*.arrow").select("b").take(2))
                .containsExactly(Row.of("b", null), Row.of("b", "s1"));
    }

    @Test
    default void filesAreReadInAsManyBlocksAsAskedFor() {
        session().range(80, 4).writeArrow(folder() + "/files");
        Dataset rows = session()
                .readArrow(folder() + "/files", ReadArrow.defaults().blocks(32).cpus(0.5))
                .map(row -> row.with("double", 2 * row.getLong("id")));
        try (MaterializedDataset blocks = rows.materialize()) {
            assertThat(blocks.numBlocks()).isEqualTo(32);
            assertThat(blocks.takeAll())
                    .extracting(row -> row.get("double"))
                    .hasSize(80)
                    .startsWith(0L, 2L, 4L);
        }
    }

    @Test
    default void arrowReadsTellThePath() throws IOException {
        Path file = write("a.arrow", true, 0, 10);
        Dataset rows = session().readArrow(file.toString(), ReadArrow.defaults().includePaths());
        assertThat(rows.columns()).containsExactly("a", "b", "path");
        assertThat(rows.select("path", "a").take(1)).containsExactly(Row.of("path", file.toString(), "a", 0L));
        assertThat(rows.select("path").takeAll()).hasSize(10);
    }

    @Test
    default void aMissingPathSaysWhatIsThere() throws IOException {
        write("a.arrow", true, 0, 10);
        assertError(() -> session().readArrow(folder() + "/nope.arrow"))
                .hasMessageContaining("there is no '" + folder() + "/nope.arrow'")
                .hasMessageContaining("there is a.arrow");
        Path empty = Files.createDirectory(folder().resolve("texts"));
        Files.writeString(empty.resolve("x.txt"), "");
        assertError(() -> session().readArrow(empty.toString()))
                .hasMessageContaining("has no files that end in .arrow")
                .hasMessageContaining("x.txt");
        assertError(() -> session().readArrow(folder() + "/*.parquet")).hasMessageContaining("no file matches");
    }

    @Test
    default void arrowBytesAreRead() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Block rows = block(0, 10);
                IpcWriter writer = IpcWriter.stream(
                        bytes, rows.schema(), IpcCompression.NONE, session().allocator())) {
            writer.write(rows);
        }
        assertThat(column("a", session().fromArrow(bytes.toByteArray())))
                .hasSize(10)
                .endsWith(9L);
        // The blocks share one piece of memory, which goes on from the run to whoever keeps them.
        try (MaterializedDataset kept = session().fromArrow(bytes.toByteArray()).materialize()) {
            assertThat(column("a", kept)).hasSize(10);
        }
        assertThat(session()
                        .fromArrow(MemorySegment.ofArray(bytes.toByteArray()))
                        .count())
                .isEqualTo(10);
    }

    @Test
    default void batchesOfTheProgramBecomeADataset() {
        Batch ints = Batch.of("a", new int[] {1, 2});
        Batch doubles = Batch.of("a", new double[] {0.5});
        try (MaterializedDataset rows = session()
                .fromBatches(ints, doubles, session().range(3).takeBatch().rename("id", "a"))) {
            assertThat(column("a", rows)).containsExactly(1.0, 2.0, 0.5, 0.0, 1.0, 2.0);
        }
    }

    @Test
    default void anIteratorsRowsWorkInParallelTasksInOrder() {
        Dataset rows = session()
                .fromIterator(() -> LongStream.range(0, 300_000).iterator())
                .map(row -> Row.of("twice", row.getLong("item") * 2));
        long[] next = {0};
        rows.forEach(row -> assertThat(row.getLong("twice")).isEqualTo(2 * next[0]++));
        assertThat(next[0]).isEqualTo(300_000);
        assertThat(rows.lastRun().orElseThrow().operators().getFirst().tasksFinished())
                .isGreaterThan(3);
    }

    @Test
    default void blocksOfTheProgramBecomeADataset() {
        List<Block> blocks = new ArrayList<>(Arrays.asList(block(0, 3), block(3, 5)));
        try (MaterializedDataset rows = session().fromBlocks(blocks)) {
            assertThat(rows.numBlocks()).isEqualTo(2);
            assertThat(column("a", rows)).containsExactly(0L, 1L, 2L, 3L, 4L);
        }
    }
}
