package dev.millrace.internal.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.stats.RunFigures.Kind;
import dev.millrace.internal.stats.RunFigures.Operator;
import dev.millrace.internal.stats.RunFigures.SlowTask;
import dev.millrace.stats.Distribution;
import dev.millrace.stats.FileStats;
import dev.millrace.stats.GpuStats;
import dev.millrace.stats.Hint;
import dev.millrace.stats.Hint.Pattern;
import dev.millrace.stats.OperatorStats;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// What is worth a hint by the figures of a run, and what is not; `RunHintsTest` has real runs.
class RunHintRulesTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long MIB = 1 << 20;

    private static OperatorStats stats(
            String name, long tasks, long wall, long rows, FileStats read, FileStats written, Map<String, Long> held) {
        Distribution time = new Distribution(tasks, 0, wall, wall);
        return new OperatorStats(
                name,
                "",
                0,
                tasks,
                0,
                0,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                rows,
                0,
                Optional.ofNullable(read),
                Optional.ofNullable(written),
                1,
                rows,
                100 * MIB,
                time,
                time,
                Distribution.NONE,
                Distribution.NONE,
                Distribution.NONE,
                held,
                null,
                null,
                0,
                0,
                30 * MIB,
                0,
                true,
                Map.of());
    }

    private static Operator map(long tasks, long wall, Distribution rows, SlowTask slowest) {
        return new Operator(
                stats("parse", tasks, wall, 100, null, null, Map.of()),
                Kind.MAP,
                -1,
                false,
                null,
                0,
                0,
                Integer.MAX_VALUE,
                rows,
                slowest);
    }

    private static List<String> hints(long elapsed, double idle, long spilled, long resident, Operator... operators) {
        return RunHintRules.of(new RunFigures(List.of(operators), elapsed, true, idle, spilled, resident, List.of()))
                .stream()
                .map(Hint::sentence)
                .toList();
    }

    private static List<String> hints(long elapsed, Operator... operators) {
        return hints(elapsed, 0, 0, 0, operators);
    }

    @Test
    void aTaskIsSlowIfItDelaysTheRunAndHasNoMoreRowsThanOthers() {
        Distribution even = new Distribution(10, 100, 100, 1_000);
        assertThat(hints(20 * SECOND, map(10, 19 * SECOND, even, new SlowTask(10 * SECOND, 100, "a.csv"))))
                .containsExactly("One task took 10 s, 10 times as long as the other 9 (1 s each): a.csv. Look at what"
                        + " is special about it; smaller blocks (repartition before, or more blocks of the read) would"
                        + " spread it over several tasks.");
        // Not five times as long; no delay worth a word; too few siblings; as many times the rows.
        assertThat(hints(20 * SECOND, map(10, 19 * SECOND, even, new SlowTask(4 * SECOND, 100, "a.csv"))))
                .isEmpty();
        assertThat(hints(200 * SECOND, map(10, 19 * SECOND, even, new SlowTask(10 * SECOND, 100, "a.csv"))))
                .isEmpty();
        assertThat(hints(20 * SECOND, map(4, 12 * SECOND, even, new SlowTask(10 * SECOND, 100, "a.csv"))))
                .isEmpty();
        Distribution uneven = new Distribution(10, 100, 1_000, 1_900);
        assertThat(hints(20 * SECOND, map(10, 19 * SECOND, uneven, new SlowTask(10 * SECOND, 1_000, "a.csv"))))
                .isEmpty();
    }

    private static Operator reduce(long most, long rows, long nanos) {
        return new Operator(
                stats("groupBy(key)", 8, nanos + SECOND, rows, null, null, Map.of()),
                Kind.REDUCE,
                -1,
                false,
                null,
                0,
                0,
                Integer.MAX_VALUE,
                new Distribution(8, 1, most, rows),
                new SlowTask(nanos, most, "a block of rows"));
    }

    @Test
    void keysAreSkewedIfOnePartHasMostRowsAndTakesTheTime() {
        assertThat(hints(10 * SECOND, reduce(900, 1_000, 8 * SECOND)))
                .containsExactly("One of 8 parts has 900 of 1,000 rows and took 8 s, since few keys have most of the"
                        + " rows: filter those out, or aggregate by the key and a second column first and by the key"
                        + " alone afterwards.");
        assertThat(hints(100 * SECOND, reduce(900, 1_000, 8 * SECOND))).isEmpty();
        assertThat(hints(10 * SECOND, reduce(200, 1_000, 8 * SECOND)))
                .singleElement()
                .asString()
                .startsWith("One task took 8 s");
    }

    private static Operator files(FileStats read, FileStats written, long rows, long wall) {
        return new Operator(
                stats("Read", 8, wall, rows, read, written, Map.of()),
                Kind.READ,
                -1,
                false,
                null,
                0,
                0,
                Integer.MAX_VALUE,
                Distribution.NONE,
                null);
    }

    @Test
    void filesAreTinyIfTheyAreManyAndEachHasSeveralRows() {
        FileStats tiny = new FileStats(5_000, 5_000 * 4_096);
        assertThat(hints(10 * SECOND, files(tiny, null, 100_000, 8 * SECOND)))
                .containsExactly("5,000 files of 4 KiB each were read in 8 s of task time: opening costs more than"
                        + " reading. Write them once again as fewer and larger ones, of 64 MiB or more.");
        assertThat(hints(10 * SECOND, files(null, tiny, 100_000, 8 * SECOND)))
                .containsExactly("5,000 files of 4 KiB each were written: every reader pays for each. Use"
                        + " repartition(n) before the write, or partition by columns with fewer values.");
        // Images, few files, large files, and no time spent.
        assertThat(hints(10 * SECOND, files(tiny, tiny, 5_000, 8 * SECOND))).isEmpty();
        assertThat(hints(10 * SECOND, files(new FileStats(50, 50), null, 1_000, 8 * SECOND)))
                .isEmpty();
        assertThat(hints(10 * SECOND, files(new FileStats(500, 500 * MIB), null, 100_000, 8 * SECOND)))
                .isEmpty();
        assertThat(hints(10 * SECOND, files(tiny, null, 100_000, SECOND / 2))).isEmpty();
    }

    private static Operator before(Map<String, Long> held) {
        return new Operator(
                stats("decode", 8, 9 * SECOND, 100, null, null, held),
                Kind.READ,
                1,
                false,
                null,
                0,
                0,
                Integer.MAX_VALUE,
                Distribution.NONE,
                null);
    }

    private static Operator model(int most, double gpus, long busy, Map<String, Long> held) {
        return new Operator(
                stats("classify", 8, busy, 100, null, null, held),
                Kind.MAP,
                -1,
                false,
                new PoolUse(most, most, 0, most, 1, gpus > 0, 0, busy, most * 10L * SECOND),
                gpus,
                0,
                Integer.MAX_VALUE,
                Distribution.NONE,
                null);
    }

    @Test
    void actorsStarveIfNothingHoldsThemBackAndTheirQueueIsEmpty() {
        assertThat(hints(10 * SECOND, before(Map.of("Capacity", 8 * SECOND)), model(1, 1, 3 * SECOND, Map.of())))
                .containsExactly("1 actor on GPUs was busy 30 % of the time with an empty queue, since decode before it"
                        + " is slower (9 s of task time). All CPUs were taken (it waited 8 s for one): do less for each"
                        + " row there, or add CPUs.");
        assertThat(hints(10 * SECOND, before(Map.of()), model(2, 0, 4 * SECOND, Map.of())))
                .containsExactly("2 actors were busy 20 % of the time with an empty queue, since decode before it is"
                        + " slower (9 s of task time). Let it run in more tasks at once, or do less for each row"
                        + " there.");
        // Busy; held back by what comes after it; one actor without a GPU costs nothing while it waits.
        assertThat(hints(10 * SECOND, before(Map.of()), model(1, 1, 8 * SECOND, Map.of())))
                .isEmpty();
        assertThat(hints(
                        10 * SECOND,
                        before(Map.of()),
                        model(1, 1, 3 * SECOND, Map.of("DownstreamCapacity", 6 * SECOND))))
                .isEmpty();
        assertThat(hints(10 * SECOND, before(Map.of()), model(1, 0, 3 * SECOND, Map.of())))
                .isEmpty();
    }

    private static List<String> gpuHints(double busy, Operator... operators) {
        GpuStats gpu = new GpuStats(0, "NVIDIA H200", 10 * SECOND, (long) (busy * 10 * SECOND), 0, 0, 0);
        return RunHintRules.of(new RunFigures(List.of(operators), 10 * SECOND, true, 0, 0, 0, List.of(gpu))).stream()
                .map(Hint::sentence)
                .toList();
    }

    @Test
    void aGpuThatWaitsForItsFunctionIsPointedOutBySeeingTheGpuItself() {
        assertThat(gpuHints(0.2, before(Map.of()), model(1, 1, 9 * SECOND, Map.of())))
                .containsExactly(
                        "The function was busy 90 % of the time, but its GPU only 20 %: it does other work than"
                                + " the GPU's. Decode and prepare rows in tasks before it, copy to the GPU from pinned memory"
                                + " while it computes (millrace.torch), or use larger batches.");
        assertThat(gpuHints(0.15, before(Map.of()), model(1, 1, 3 * SECOND, Map.of())))
                .containsExactly("1 actor on GPUs was busy 30 % of the time (the GPUs themselves 15 %) with an empty"
                        + " queue, since decode before it is slower (9 s of task time). Let it run in more tasks at"
                        + " once, or do less for each row there.");
        // Busy enough; nothing is known of it; the operator has none.
        assertThat(gpuHints(0.7, before(Map.of()), model(1, 1, 9 * SECOND, Map.of())))
                .isEmpty();
        assertThat(hints(10 * SECOND, before(Map.of()), model(1, 1, 9 * SECOND, Map.of())))
                .isEmpty();
        assertThat(gpuHints(0.2, before(Map.of()), model(1, 0, 9 * SECOND, Map.of())))
                .isEmpty();
    }

    private static Operator capped(int maxTasks, long held) {
        return new Operator(
                stats("call", 8, 9 * SECOND, 100, null, null, Map.of("ConcurrencyCap", held)),
                Kind.MAP,
                -1,
                false,
                null,
                0,
                0,
                maxTasks,
                Distribution.NONE,
                null);
    }

    @Test
    void aLimitOfTasksIsTooLowWhileCpusAreIdle() {
        assertThat(hints(10 * SECOND, 3.02, 0, 0, capped(1, 9 * SECOND)))
                .containsExactly("At most 1 task runs at once, and work waited 9 s of 10 s for that while 3 CPUs were"
                        + " idle: use Compute.tasks(4), or Compute.tasks() for as many as there are CPUs.");
        assertThat(hints(10 * SECOND, 0.4, 0, 0, capped(1, 9 * SECOND))).isEmpty();
        assertThat(hints(10 * SECOND, 3, 0, 0, capped(1, SECOND))).isEmpty();
        assertThat(hints(10 * SECOND, 3, 0, 0, capped(Integer.MAX_VALUE, 9 * SECOND)))
                .isEmpty();
    }

    private static Operator limited(boolean limited, long tasks, long wall) {
        return new Operator(
                stats("classify", tasks, wall, 100, null, null, Map.of()),
                Kind.MAP,
                -1,
                limited,
                new PoolUse(1, 4, 0, 1, 1, false, 0, wall, wall),
                0,
                0,
                Integer.MAX_VALUE,
                new Distribution(tasks, 1, 100, 100),
                null);
    }

    @Test
    void aLimitSerialisesAPoolIfItLeavesFewerBlocksThanActors() {
        assertThat(hints(10 * SECOND, limited(true, 1, 9 * SECOND)))
                .containsExactly("The limit before it leaves 1 block of 100 rows for 4 actors (9 s of work): use a"
                        + " smaller batchSize, or repartition(4) after the limit.");
        assertThat(hints(10 * SECOND, limited(true, 4, 9 * SECOND))).isEmpty();
        assertThat(hints(10 * SECOND, limited(false, 1, 9 * SECOND))).isEmpty();
        assertThat(hints(10 * SECOND, limited(true, 1, SECOND / 2))).isEmpty();
    }

    private static Operator declares(long memory) {
        return new Operator(
                stats("classify", 1, SECOND, 100, null, null, Map.of()),
                Kind.MAP,
                -1,
                false,
                new PoolUse(2, 2, 0, 2, 1, true, 0, SECOND, SECOND),
                0,
                memory,
                Integer.MAX_VALUE,
                Distribution.NONE,
                null);
    }

    @Test
    void memoryIsDeclaredTooHighIfTheProcessNeverHadAQuarterOfIt() {
        assertThat(hints(10 * SECOND, 0, 0, 1_024 * MIB, declares(8_192 * MIB)))
                .containsExactly("It declares 8 GiB for each of 2 actors, and the whole process never took more than"
                        + " 1 GiB: what is declared is kept from blocks and other tasks. Use Compute.memory with what"
                        + " it needs.");
        assertThat(hints(10 * SECOND, 0, 0, 6_000 * MIB, declares(8_192 * MIB))).isEmpty();
        assertThat(hints(10 * SECOND, 0, 0, 0, declares(8_192 * MIB))).isEmpty();
        assertThat(hints(10 * SECOND, 0, 0, 10 * MIB, declares(512 * MIB))).isEmpty();
    }

    @Test
    void spillingIsPointedOutWhereAPlanOnlyStreams() {
        Operator plain = map(1, SECOND, Distribution.NONE, null);
        assertThat(hints(10 * SECOND, 0, 50 * MIB, 0, plain))
                .containsExactly("50 MiB were spilled though nothing in the plan collects its rows; it held 30 MiB at"
                        + " most: use smaller batches or blocks there, fewer actors, or give the session more memory.");
        assertThat(hints(10 * SECOND, 0, MIB, 0, plain)).isEmpty();
        RunFigures sorts = new RunFigures(List.of(plain), 10 * SECOND, false, 0, 50 * MIB, 0, List.of());
        assertThat(RunHintRules.of(sorts)).isEmpty();
        RunFigures streams = new RunFigures(List.of(plain), 10 * SECOND, true, 0, 50 * MIB, 0, List.of());
        assertThat(RunHintRules.of(streams)).extracting(Hint::pattern).containsExactly(Pattern.SPILLED_WHILE_STREAMING);
    }
}
