package dev.millrace.internal.stats;

import static dev.millrace.internal.stats.HumanUnits.bytes;
import static dev.millrace.internal.stats.HumanUnits.count;
import static dev.millrace.internal.stats.HumanUnits.percent;
import static dev.millrace.internal.stats.HumanUnits.time;

import dev.millrace.internal.stats.RunFigures.Kind;
import dev.millrace.internal.stats.RunFigures.Operator;
import dev.millrace.internal.stats.RunFigures.SlowTask;
import dev.millrace.stats.FileStats;
import dev.millrace.stats.Hint;
import dev.millrace.stats.Hint.Pattern;
import dev.millrace.stats.OperatorStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The slow patterns that the figures of a whole run prove, one method each; those of a single operator's functions and
/// pool are in [HintRules]. A pure function: figures in, sentences out.
public final class RunHintRules {
    private static final long SECOND = 1_000_000_000;

    /// A task that is shorter never delays a run so much that it is worth a word.
    public static final long LONG_TASK = SECOND;

    /// Memory that is declared matters from here on.
    public static final long MUCH_MEMORY = 1L << 30;

    private static final long LIFE_OF_POOL = 10 * SECOND;
    private static final long LIFE_ON_GPU = 3 * SECOND;
    private static final int MIN_SIBLINGS = 7;
    private static final int MIN_PARTS = 4;
    private static final double MUCH_SLOWER = 5;
    private static final double SKEWED = 4;
    private static final double SHARE_OF_RUN = 0.2;
    private static final int MANY_FILES = 100;
    private static final long TINY_FILE = 256 << 10;
    private static final long SOME_SPILLED = 512 << 10;

    private RunHintRules() {}

    public static List<Hint> of(RunFigures run) {
        List<Hint> hints = new ArrayList<>();
        for (Operator operator : run.operators()) {
            if (!skewedKeys(run, operator, hints)) {
                slowTask(run, operator, hints);
            }
            tinyFiles(run, operator, hints);
            starved(run, operator, hints);
            gpuWaits(run, operator, hints);
            capped(run, operator, hints);
            limited(run, operator, hints);
            declaredMemory(run, operator, hints);
        }
        spilled(run, hints);
        return hints;
    }

    private static void add(List<Hint> hints, Operator operator, Pattern pattern, String sentence) {
        hints.add(new Hint(operator.stats().name(), pattern, sentence));
    }

    /// One task took many times as long as its siblings, which delayed the run, and not because it had more rows.
    private static void slowTask(RunFigures run, Operator operator, List<Hint> hints) {
        SlowTask slow = operator.slowest();
        long others = operator.stats().wall().count() - 1;
        if (slow == null || others < MIN_SIBLINGS) {
            return;
        }
        double mean = (double) (operator.stats().wall().total() - slow.nanos()) / others;
        double rows = otherRows(operator, slow.rows());
        // With as many times the rows it is as fast as the others.
        double expected = mean * (rows > 0 && slow.rows() > rows ? slow.rows() / rows : 1);
        if (slow.nanos() < MUCH_SLOWER * expected
                || slow.nanos() - expected < Math.max(LONG_TASK, SHARE_OF_RUN * run.elapsedNanos())) {
            return;
        }
        add(
                hints,
                operator,
                Pattern.SLOW_TASK,
                "One task took " + time(slow.nanos()) + ", " + times(slow.nanos() / Math.max(1, mean))
                        + " as long as the other " + count(others) + " (" + time((long) mean) + " each): "
                        + slow.input() + ". Look at what is special about it; smaller blocks (repartition before, or"
                        + " more blocks of the read) would spread it over several tasks.");
    }

    private static double otherRows(Operator operator, long rows) {
        long others = operator.rowsPerTask().count() - 1;
        return others < 1 ? 0 : (double) (operator.rowsPerTask().total() - rows) / others;
    }

    /// One part of an exchange has many times the rows of the others, and takes the time.
    private static boolean skewedKeys(RunFigures run, Operator operator, List<Hint> hints) {
        SlowTask slow = operator.slowest();
        long parts = operator.rowsPerTask().count();
        if (!worksOnParts(run, operator) || slow == null || parts < MIN_PARTS) {
            return false;
        }
        double mean = otherRows(operator, slow.rows());
        if (slow.rows() < operator.rowsPerTask().max()
                || slow.rows() < SKEWED * Math.max(1, mean)
                || slow.nanos() < Math.max(LONG_TASK, SHARE_OF_RUN * run.elapsedNanos())) {
            return false;
        }
        add(
                hints,
                operator,
                Pattern.SKEWED_KEYS,
                "One of " + count(parts) + " parts has " + count(slow.rows()) + " of "
                        + count(operator.rowsPerTask().total()) + " rows and took " + time(slow.nanos())
                        + ", since few keys have most of the rows: filter those out, or aggregate by the key and a"
                        + " second column first and by the key alone afterwards.");
        return true;
    }

    /// It is the reduce side of an exchange, or takes its blocks as they are.
    private static boolean worksOnParts(RunFigures run, Operator operator) {
        int position = run.operators().indexOf(operator);
        return operator.kind() == Kind.REDUCE
                || operator.kind() == Kind.MAP
                        && run.operators().stream()
                                .anyMatch(each -> each.kind() == Kind.REDUCE && each.feeds() == position);
    }

    /// Many files of a few rows each. A file that is one row (an image) is as it has to be.
    private static void tinyFiles(RunFigures run, Operator operator, List<Hint> hints) {
        OperatorStats stats = operator.stats();
        Optional<FileStats> read = stats.read().filter(RunHintRules::areTiny);
        if (read.isPresent() && stats.inputRows() >= 2 * read.get().files() && worthIt(run, stats)) {
            add(
                    hints,
                    operator,
                    Pattern.TINY_FILES,
                    files(read.get()) + " were read in " + time(stats.wall().total())
                            + " of task time: opening costs more than reading. Write them once again as fewer and"
                            + " larger ones, of 64 MiB or more.");
        }
        Optional<FileStats> written = stats.written().filter(RunHintRules::areTiny);
        if (written.isPresent() && stats.outputRows() >= 2 * written.get().files()) {
            add(
                    hints,
                    operator,
                    Pattern.TINY_FILES,
                    files(written.get()) + " were written: every reader pays for each. Use repartition(n) before the"
                            + " write, or partition by columns with fewer values.");
        }
    }

    private static boolean areTiny(FileStats files) {
        return files.files() >= MANY_FILES && files.bytes() / files.files() < TINY_FILE;
    }

    private static boolean worthIt(RunFigures run, OperatorStats stats) {
        return stats.wall().total() >= SECOND && stats.wall().total() >= SHARE_OF_RUN * run.elapsedNanos();
    }

    private static String files(FileStats files) {
        return count(files.files()) + " files of " + bytes(files.bytes() / files.files()) + " each";
    }

    /// Actors without work, though nothing holds them back: what comes before them is slower.
    private static void starved(RunFigures run, Operator operator, List<Hint> hints) {
        PoolUse pool = operator.pool();
        if (pool == null
                || pool.most() < 1
                // A pool that may be smaller grew since work waited.
                || operator.gpus() <= 0 && pool.min() < 2
                || pool.readyNanos() < pool.most() * (operator.gpus() > 0 ? LIFE_ON_GPU : LIFE_OF_POOL)
                || pool.busyNanos() > 0.5 * pool.readyNanos()) {
            return;
        }
        long held = operator.stats().heldNanos().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        Operator slower = slowestBefore(run, operator);
        if (held > SHARE_OF_RUN * run.elapsedNanos() || slower == null) {
            return;
        }
        String busy = percent((double) pool.busyNanos() / pool.readyNanos());
        String actors = pool.most() == 1 ? "1 actor" : count(pool.most()) + " actors";
        Long waited = slower.stats().heldNanos().getOrDefault("Capacity", 0L);
        boolean full = waited >= 0.3 * run.elapsedNanos();
        String remedy = full
                ? "All CPUs were taken (it waited " + time(waited)
                        + " for one): do less for each row there, or add CPUs."
                : "Let it run in more tasks at once, or do less for each row there.";
        add(
                hints,
                operator,
                operator.gpus() > 0 ? Pattern.GPU_IDLE : Pattern.STARVED,
                actors + (operator.gpus() > 0 ? " on GPUs" : "") + (pool.most() == 1 ? " was" : " were") + " busy "
                        + busy + " of the time" + measured(run, operator) + " with an empty queue, since "
                        + slower.stats().name()
                        + " before it is slower (" + time(slower.stats().wall().total()) + " of task time). "
                        + remedy);
    }

    private static String measured(RunFigures run, Operator operator) {
        double busy = run.gpuBusy(LIFE_ON_GPU);
        return operator.gpus() <= 0 || Double.isNaN(busy) ? "" : " (the GPUs themselves " + percent(busy) + ")";
    }

    /// A GPU that waits for the function which has it.
    private static void gpuWaits(RunFigures run, Operator operator, List<Hint> hints) {
        PoolUse pool = operator.pool();
        double busy = run.gpuBusy(LIFE_ON_GPU);
        // NaN is not below anything.
        if (pool == null
                || operator.gpus() <= 0
                || !(busy < 0.5)
                || pool.readyNanos() < pool.most() * LIFE_ON_GPU
                || pool.busyNanos() < 0.8 * pool.readyNanos()) {
            return;
        }
        add(
                hints,
                operator,
                Pattern.GPU_IDLE,
                "The function was busy " + percent((double) pool.busyNanos() / pool.readyNanos())
                        + " of the time, but its GPU" + (run.gpuStats().size() == 1 ? "" : "s") + " only "
                        + percent(busy)
                        + ": it does other work than the GPU's. Decode and prepare rows in tasks before it, copy to the"
                        + " GPU from pinned memory while it computes (millrace.torch), or use larger batches.");
    }

    /// The operator with the most task time among those that lead to this one; null if there is none.
    private static @Nullable Operator slowestBefore(RunFigures run, Operator operator) {
        int position = run.operators().indexOf(operator);
        return run.operators().stream()
                .filter(each -> !each.equals(operator) && leadsTo(run, each, position))
                .max(Comparator.comparingLong(each -> each.stats().wall().total()))
                .filter(each -> each.stats().wall().total() > 0)
                .orElse(null);
    }

    private static boolean leadsTo(RunFigures run, Operator from, int position) {
        int next = from.feeds();
        for (int steps = 0; next >= 0 && steps <= run.operators().size(); steps++) {
            if (next == position) {
                return true;
            }
            next = run.operators().get(next).feeds();
        }
        return false;
    }

    /// A limit of tasks at once that keeps work waiting while CPUs are idle.
    private static void capped(RunFigures run, Operator operator, List<Hint> hints) {
        long held = operator.stats().heldNanos().getOrDefault("ConcurrencyCap", 0L);
        if (operator.pool() != null
                || operator.maxTasks() == Integer.MAX_VALUE
                || held < Math.max(SECOND, 0.5 * run.elapsedNanos())
                || run.idleCpus() < 0.9) {
            return;
        }
        add(
                hints,
                operator,
                Pattern.CONCURRENCY_TOO_LOW,
                "At most " + (operator.maxTasks() == 1 ? "1 task runs" : count(operator.maxTasks()) + " tasks run")
                        + " at once, and work waited " + time(held) + " of " + time(run.elapsedNanos()) + " for that"
                        + " while " + decimal(run.idleCpus()) + " CPUs were idle: use Compute.tasks("
                        + (operator.maxTasks() + (int) Math.max(1, Math.floor(run.idleCpus() + 0.1)))
                        + "), or Compute.tasks() for as many as there are CPUs.");
    }

    /// A limit leaves so few blocks that most of a pool has nothing to do.
    private static void limited(RunFigures run, Operator operator, List<Hint> hints) {
        PoolUse pool = operator.pool();
        long tasks = operator.stats().wall().count();
        if (!operator.limited()
                || pool == null
                || pool.max() < 2
                || tasks < 1
                || tasks >= pool.max()
                || operator.rowsPerTask().total() < 2
                || operator.stats().wall().total() < Math.max(SECOND, SHARE_OF_RUN * run.elapsedNanos())) {
            return;
        }
        add(
                hints,
                operator,
                Pattern.LIMIT_SERIALISES,
                "The limit before it leaves " + (tasks == 1 ? "1 block" : count(tasks) + " blocks") + " of "
                        + count(operator.rowsPerTask().total()) + " rows for " + count(pool.max()) + " actors ("
                        + time(operator.stats().wall().total()) + " of work): use a smaller batchSize, or"
                        + " repartition(" + pool.max() + ") after the limit.");
    }

    /// Declared memory that the process never had: it keeps other tasks and blocks out.
    private static void declaredMemory(RunFigures run, Operator operator, List<Hint> hints) {
        PoolUse pool = operator.pool();
        long at = pool == null ? 1 : Math.max(1, pool.most());
        if (operator.memory() < MUCH_MEMORY
                || run.residentBytes() <= 0
                || operator.stats().tasksFinished() == 0
                || operator.memory() * at < 4 * run.residentBytes()) {
            return;
        }
        add(
                hints,
                operator,
                Pattern.MEMORY_DECLARED_TOO_HIGH,
                "It declares " + bytes(operator.memory()) + " for "
                        + (at == 1 ? "itself" : "each of " + count(at) + " actors")
                        + ", and the whole process never took more than " + bytes(run.residentBytes())
                        + ": what is declared is kept from blocks and other tasks. Use Compute.memory with what it"
                        + " needs.");
    }

    /// More than a few blocks went to disk though the plan only streams.
    private static void spilled(RunFigures run, List<Hint> hints) {
        long passed = run.operators().stream()
                .mapToLong(each -> each.stats().outputBytes())
                .max()
                .orElse(0);
        if (!run.streams() || run.spilledBytes() < Math.max(SOME_SPILLED, passed / 25)) {
            return;
        }
        run.operators().stream()
                .max(Comparator.comparingLong(each -> each.stats().peakBytes()))
                .ifPresent(largest -> add(
                        hints,
                        largest,
                        Pattern.SPILLED_WHILE_STREAMING,
                        bytes(run.spilledBytes()) + " were spilled though nothing in the plan collects its rows; it"
                                + " held "
                                + bytes(largest.stats().peakBytes())
                                + " at most: use smaller batches or blocks there, fewer"
                                + " actors, or give the session more memory."));
    }

    private static String times(double factor) {
        return count(Math.round(factor)) + " times";
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value).replace(".0", "");
    }
}
