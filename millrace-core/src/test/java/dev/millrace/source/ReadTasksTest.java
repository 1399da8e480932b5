package dev.millrace.source;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.block.Block;
import dev.millrace.column.Columns;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ReadTasks;
import dev.millrace.files.FileSource;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How many blocks a read makes, what its tasks take, and how many run at once.
class ReadTasksTest {
    @TempDir
    Path folder;

    private Session session;

    @BeforeEach
    void open() {
        session = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withSlots(2))
                .open();
        Crowd.reset();
    }

    @AfterEach
    void close() {
        long free = session.resources().freeBlockBytes();
        assertThat(free).isEqualTo(session.resources().blockBytes());
        session.close();
    }

    private String eightFiles() {
        String files = folder.resolve("eight").toString();
        session.range(800, 8).writeArrow(files);
        return files;
    }

    private static List<Long> rowsOfBlocks(Dataset dataset) {
        try (MaterializedDataset blocks = dataset.materialize()) {
            return blocks.blockReferences().stream().map(BlockSlice::rows).toList();
        }
    }

    @Test
    void eightFilesBecomeAsManyBlocksAsAskedFor() {
        String files = eightFiles();
        assertThat(rowsOfBlocks(session.readArrow(files, ReadArrow.defaults().blocks(64))))
                .hasSize(64)
                .allSatisfy(rows -> assertThat(rows).isBetween(12L, 13L));
        for (int blocks : new int[] {1, 2, 3, 5, 8, 9, 13, 800}) {
            assertThat(rowsOfBlocks(
                            session.readArrow(files, ReadArrow.defaults().blocks(blocks))))
                    .hasSize(blocks);
        }
        assertThat(rowsOfBlocks(session.readArrow(files, ReadArrow.defaults().blocks(2_000))))
                .as("no block is without rows")
                .hasSize(800);
        assertThat(session.readArrow(files, ReadArrow.defaults().blocks(64)).takeAll())
                .extracting(row -> row.get("id"))
                .containsExactlyElementsOf(LongStream.range(0, 800).boxed().toList());
    }

    @Test
    void theNumberOfBlocksHoldsBehindAFilterAndForASourceOfOnesOwn() {
        String files = eightFiles();
        assertThat(rowsOfBlocks(session.readArrow(files, ReadArrow.defaults().blocks(16))
                        .filter(col("id").lt(400).or(col("id").ge(500)))))
                .filteredOn(rows -> rows > 0)
                .hasSize(14);
        assertThat(rowsOfBlocks(
                        session.read(new Crowd(100, 40), ReadTasks.defaults().blocks(10))))
                .containsOnly(4L)
                .hasSize(10);
        assertThat(rowsOfBlocks(session.read(new Crowd(100, 40), 3))).hasSize(3);
    }

    @Test
    void aFunctionRunsOnceForEachBlockThatWasAskedFor() {
        String files = eightFiles();
        AtomicInteger calls = new AtomicInteger();
        assertThat(session.readArrow(files, ReadArrow.defaults().blocks(24))
                        .mapBatches(batch -> {
                            calls.incrementAndGet();
                            return batch;
                        })
                        .takeAll())
                .hasSize(800);
        assertThat(calls).hasValue(24);
        assertThat(session.readArrow(files, ReadArrow.defaults().blocks(8))
                        .map(row -> row)
                        .explain())
                .as("as many splits as blocks: the function is in the tasks of the read")
                .contains("-> map");
    }

    @Test
    void readsOfAQuarterOfACpuRunEightAtOnceOnTwo() {
        Crowd source = new Crowd(32, 32, 8);
        assertThat(session.read(source, ReadTasks.defaults().cpus(0.25)).count())
                .isEqualTo(32);
        assertThat(Crowd.most()).isEqualTo(8);
    }

    @Test
    void filesAreReadByAsManyTasksAsTheirCpusAllow() throws IOException {
        for (int i = 0; i < 32; i++) {
            Files.writeString(folder.resolve(i + ".crowd"), "x");
        }
        FileReads quarter = FileReads.defaults().cpus(0.25);
        FileSource files = FileSource.of(List.of(folder.toString()), new CrowdFiles(8), quarter);
        assertThat(session.read(files, quarter.tasks()).count()).isEqualTo(32);
        assertThat(Crowd.most()).isEqualTo(8);
    }

    @Test
    void neverMoreTasksRunThanTheConcurrencyOfTheRead() {
        Crowd source = new Crowd(32, 32, 3);
        assertThat(session.read(source, ReadTasks.defaults().cpus(0.1).concurrency(3))
                        .count())
                .isEqualTo(32);
        assertThat(Crowd.most()).isEqualTo(3);
        assertThat(session.read(source, ReadTasks.defaults().cpus(0.1).concurrency(3))
                        .explain())
                .contains("at most 3 at once, 0.1 CPU each");
    }

    @Test
    void noMoreTasksRunThanThereIsMemoryFor() {
        long half = session.resources().total().memory() / 2;
        Crowd source = new Crowd(32, 32, 2);
        assertThat(session.read(source, ReadTasks.defaults().cpus(0.1).memory(half))
                        .count())
                .isEqualTo(32);
        assertThat(Crowd.most()).isEqualTo(2);
        assertThatThrownBy(() -> session.read(source, ReadTasks.defaults().memory(3 * half))
                        .count())
                .hasMessageContaining("needs " + 3 * half + " bytes of memory, ")
                .hasMessageContaining("Ask for less, or raise the session's limits.");
    }

    @Test
    void aFunctionBehindAReadWithOtherCpusRunsAsItSays() {
        Dataset read = session.read(new Crowd(32, 32), ReadTasks.defaults().cpus(0.25));
        String whole = read.map(row -> row).explain();
        assertThat(whole).contains("Read[Crowd] about 16 tasks, 0.25 CPU each").contains("tasks, 1 CPU each");
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        assertThat(read.mapBatches(
                                batch -> {
                                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                                    now.decrementAndGet();
                                    return batch;
                                },
                                Compute.tasks().cpus(2))
                        .count())
                .isEqualTo(32);
        assertThat(most.get()).isLessThanOrEqualTo(1);
        assertThat(read.map(row -> row, Compute.tasks().cpus(0.25)).explain()).contains("Read[Crowd -> map");
    }

    @Test
    void badValuesAreSentences() {
        assertThatThrownBy(() -> ReadArrow.defaults().blocks(0))
                .hasMessage("The blocks of a read must be 1 or more, not 0.");
        assertThatThrownBy(() -> ReadArrow.defaults().concurrency(0))
                .hasMessage("The concurrency of a read must be 1 or more, not 0.");
        assertThatThrownBy(() -> ReadArrow.defaults().cpus(-1))
                .hasMessage("The CPUs of a read must be 0 or more, not -1.");
        assertThatThrownBy(() -> ReadArrow.defaults().memory(-5))
                .hasMessage("The memory of a read must be 0 or more, not -5.");
        assertThatThrownBy(() -> session.read(new Crowd(2, 2), 0))
                .hasMessage("The blocks of a read must be 1 or more, not 0.");
        assertThatThrownBy(
                        () -> session.read(new Crowd(2, 2), ReadTasks.defaults().cpus(3))
                                .count())
                .hasMessage(
                        "Crowd -> select() needs 3 CPUs, 2 are there. Ask for less, or raise the session's limits.");
    }

    /// Splits of a row or more, whose readers count how many are open at once. The first ones wait until `together`
    /// are.
    private record Crowd(int count, int size, int together) implements Source {
        private static final Schema SCHEMA = Schema.of(List.of(new Field("id", DataType.INT64)));
        private static final AtomicInteger NOW = new AtomicInteger();
        private static final AtomicInteger MOST = new AtomicInteger();
        private static volatile CountDownLatch there;

        Crowd(int count, int size) {
            this(Math.min(count, 2), size, 0);
        }

        static void reset() {
            NOW.set(0);
            MOST.set(0);
            there = null;
        }

        static int most() {
            return MOST.get();
        }

        static void enter(int together) throws InterruptedException {
            synchronized (Crowd.class) {
                there = there == null ? new CountDownLatch(together) : there;
            }
            MOST.accumulateAndGet(NOW.incrementAndGet(), Math::max);
            there.countDown();
            assertThat(there.await(20, TimeUnit.SECONDS))
                    .as("readers of %d tasks at once", together)
                    .isTrue();
        }

        static void leave() {
            NOW.decrementAndGet();
        }

        @Override
        public String name() {
            return "Crowd";
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.of(SCHEMA);
        }

        @Override
        public Iterator<Split> splits(SplitRequest request) {
            List<Split> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(new CrowdSplit(i * size / count, (i + 1) * size / count, together));
            }
            return all.iterator();
        }
    }

    private record CrowdSplit(int from, int to, int together) implements Split {
        @Override
        public String description() {
            return "rows " + from + "-" + (to - 1);
        }

        @Override
        public SplitReader open(ReadContext context) throws InterruptedException {
            Crowd.enter(together);
            return new SplitReader() {
                private boolean given;

                @Override
                public Block next() {
                    if (given) {
                        return null;
                    }
                    given = true;
                    List<Long> ids = LongStream.range(from, to).boxed().toList();
                    return Block.of(
                            Crowd.SCHEMA, List.of(Columns.of(context.allocator(), DataType.INT64, ids)), ids.size());
                }

                @Override
                public void close() {
                    Crowd.leave();
                }
            };
        }
    }

    /// Files of one row each, read as a crowd.
    private record CrowdFiles(int together) implements ReadFormat {
        @Override
        public String name() {
            return "Crowd";
        }

        @Override
        public String verb() {
            return "readCrowd";
        }

        @Override
        public List<String> endings() {
            return List.of(".crowd");
        }

        @Override
        public Schema schema(FileRange file, ReadContext context) {
            return Crowd.SCHEMA;
        }

        @Override
        public SplitReader open(FileRange range, WantedColumns columns, ReadContext context) throws Exception {
            return new CrowdSplit(0, 1, together).open(context);
        }
    }
}
