package dev.millrace.internal.stats;

import static dev.millrace.internal.stats.HumanUnits.count;
import static dev.millrace.internal.stats.HumanUnits.percent;
import static dev.millrace.internal.stats.HumanUnits.time;

import dev.millrace.compute.Compute;
import dev.millrace.runtime.FunctionUse;
import dev.millrace.stats.Hint;
import dev.millrace.stats.Hint.Pattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The slow patterns that the figures of an operator prove, one method each. A pure function: figures in, sentences
/// out. Costs that are too small to matter, or that might have another reason, give no hint.
public final class HintRules {
    private static final long MILLI = 1_000_000;

    /// A smaller cost is not reported.
    private static final long WORTH_SAYING = 100 * MILLI;

    /// The same for a pool's life, in which the start of the run must not count for much.
    private static final long LIFE_OF_SMALL_POOL = 1_000 * MILLI;

    private static final long LIFE_OF_LARGE_POOL = 10_000 * MILLI;
    private static final int FEW_ROWS = 4;
    private static final int MIN_CALLS = 16;
    private static final int MIN_LOOKS = 8;
    private static final int MIN_CALLS_BUILDING = 4;

    /// A call that takes longer is not slow because of its batch.
    private static final long LONG_CALL = 1_000 * MILLI;

    private static final double BUSY = 0.95;
    private static final double MUCH = 0.25;

    /// The figures of one operator.
    ///
    /// @param pool null for tasks
    /// @param shrunk batches were made smaller for lack of memory
    public record Figures(
            String operator,
            List<FunctionUse> functions,
            @Nullable PoolUse pool,
            boolean shrunk) {}

    private HintRules() {}

    public static List<Hint> of(Figures figures) {
        List<Hint> hints = new ArrayList<>();
        for (FunctionUse function : figures.functions()) {
            int before = hints.size();
            loads(figures, function, hints);
            if (hints.size() == before) {
                built(figures, function, hints);
            }
            smallBatches(figures, function, hints);
            preparation(figures, function, hints);
        }
        if (figures.pool() != null) {
            smallPool(figures, figures.pool(), hints);
            largePool(figures, figures.pool(), hints);
            poolWithoutRoom(figures, figures.pool(), hints);
        }
        return hints;
    }

    /// At least one load in every second call; in actors, more loads than actors, since each may load at its first.
    private static void loads(Figures figures, FunctionUse function, List<Hint> hints) {
        int free = figures.pool() == null ? 1 : Math.max(1, figures.pool().most());
        for (FunctionUse.Cost cost : function.costs()) {
            if (!cost.load() || cost.times() <= free || 2 * cost.times() < function.calls()) {
                continue;
            }
            boolean rows = function.batchSize() == FunctionUse.ROWS;
            String figuresText = count(cost.times()) + " times in " + count(function.calls()) + " calls of "
                    + function.function() + ", " + time(cost.nanos()) + share(cost.nanos(), function.nanos());
            String instead = figures.pool() == null
                    ? "use Compute.actors with a factory, which builds it once per actor"
                    : "build it in the factory or the constructor, which runs once per actor";
            hints.add(new Hint(
                    figures.operator(),
                    Pattern.LOADED_IN_EACH_CALL,
                    cost.what() + " is built for each " + (rows ? "row" : "batch") + " (" + figuresText + "): "
                            + instead + "."));
        }
    }

    /// The constructor of a class in most looks into running calls, in several different ones.
    private static void built(Figures figures, FunctionUse function, List<Hint> hints) {
        for (FunctionUse.Built type : function.built()) {
            if (function.looks() < MIN_LOOKS
                    || 2 * type.looks() < function.looks()
                    || type.calls()
                            < Math.max(
                                    MIN_CALLS_BUILDING,
                                    figures.pool() == null
                                            ? 0
                                            : 2L * figures.pool().most())
                    || function.nanos() < WORTH_SAYING) {
                continue;
            }
            double part = (double) type.looks() / function.looks();
            String instead = figures.pool() == null
                    ? "use Compute.actors with a factory, which builds it once per actor"
                    : "build it in the factory or the constructor, which runs once per actor";
            hints.add(new Hint(
                    figures.operator(),
                    Pattern.BUILT_IN_EACH_CALL,
                    function.function() + " was building " + type.type() + " in " + count(type.looks()) + " of "
                            + count(function.looks()) + " looks into its calls, about "
                            + time((long) (part * function.nanos())) + " or " + percent(part)
                            + " of its time: unless it depends on the rows, " + instead + "."));
        }
    }

    private static String share(long nanos, long all) {
        return all <= 0 ? "" : " or " + percent(Math.min(1, (double) nanos / all)) + " of its time";
    }

    /// In actors, where each call has a fixed cost (a model's): calls that take time with a few rows each. In tasks: if
    /// making the batches takes a large part of the time.
    private static void smallBatches(Figures figures, FunctionUse function, List<Hint> hints) {
        int size = function.batchSize();
        boolean asked = size >= 1 && size <= FEW_ROWS;
        boolean asBlocksCome = size == Compute.WHOLE_BLOCK && figures.pool() != null;
        if (figures.shrunk()
                || !asked && !asBlocksCome
                || function.calls() < MIN_CALLS
                || function.rows() > FEW_ROWS * function.calls()) {
            return;
        }
        long each = function.nanos() / function.calls();
        String rows = String.format(Locale.ROOT, "%.1f", (double) function.rows() / function.calls())
                .replace(".0", "");
        String calls = "Batches of " + rows + (rows.equals("1") ? " row" : " rows") + " in " + count(function.calls())
                + " calls of " + function.function();
        long all = function.nanos() + function.overheadNanos();
        if (figures.pool() != null && function.nanos() >= WORTH_SAYING && each <= LONG_CALL) {
            hints.add(new Hint(
                    figures.operator(),
                    Pattern.SMALL_BATCHES,
                    calls + ", " + time(each) + " each: use Compute.batchSize(32), so that one call does many rows."));
        } else if (figures.pool() == null
                && function.overheadNanos() >= WORTH_SAYING
                && function.overheadNanos() >= MUCH * all) {
            hints.add(new Hint(
                    figures.operator(),
                    Pattern.SMALL_BATCHES,
                    calls + ": making the batches took " + time(function.overheadNanos()) + ", the function "
                            + time(function.nanos()) + ". Use Compute.batchSize(1024), or none."));
        }
    }

    private static void preparation(Figures figures, FunctionUse function, List<Hint> hints) {
        PoolUse pool = figures.pool();
        if (pool == null) {
            return;
        }
        for (FunctionUse.Cost cost : function.costs()) {
            boolean otherThreads = pool.otherResources() || pool.idleCpus() >= 0.5;
            if (!cost.load()
                    && otherThreads
                    && cost.nanos() >= WORTH_SAYING
                    && cost.nanos() >= MUCH * function.nanos()) {
                hints.add(new Hint(
                        figures.operator(),
                        Pattern.PREPARED_IN_ACTORS,
                        capital(cost.what()) + " takes "
                                + percent(Math.min(1, (double) cost.nanos() / function.nanos()))
                                + " of the time of the actors of " + function.function()
                                + ": do it in a mapBatches of its own before, which other CPUs can run."));
            }
        }
    }

    private static String capital(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private static void smallPool(Figures figures, PoolUse pool, List<Hint> hints) {
        if (pool.otherResources()
                || pool.cpus() <= 0
                || pool.most() < pool.max()
                || pool.readyNanos() < pool.most() * LIFE_OF_SMALL_POOL
                || pool.busyNanos() < BUSY * pool.readyNanos()) {
            return;
        }
        // Half of what one more actor would take is enough to pay; a tenth of a CPU may be used by other work.
        boolean half = pool.idleCpus() >= 0.5 * pool.cpus();
        int more = Math.max(half ? 1 : 0, (int) Math.floor((pool.idleCpus() + 0.1) / pool.cpus()));
        if (more >= 1) {
            String idle = String.format(Locale.ROOT, "%.1f", pool.idleCpus()).replace(".0", "");
            hints.add(new Hint(
                    figures.operator(),
                    Pattern.POOL_TOO_SMALL,
                    actors(pool.most()) + " busy " + percent((double) pool.busyNanos() / pool.readyNanos())
                            + " of the time while " + idle + (idle.equals("1") ? " CPU was idle" : " CPUs were idle")
                            + ": use Compute.actors(" + Math.max(1, pool.min()) + ", " + (pool.max() + more) + ")."));
        }
    }

    private static void largePool(Figures figures, PoolUse pool, List<Hint> hints) {
        if (pool.min() < 2 || pool.readyNanos() < pool.most() * LIFE_OF_LARGE_POOL) {
            return;
        }
        double busy = (double) pool.busyNanos() / pool.readyNanos();
        int enough = Math.max(1, (int) Math.ceil(busy * pool.most() / 0.8));
        if (2 * enough <= pool.min()) {
            hints.add(new Hint(
                    figures.operator(),
                    Pattern.POOL_TOO_LARGE,
                    actors(pool.most()) + " busy " + percent(busy) + " of the time: " + enough
                            + " would do. Use Compute.actors(" + enough + ", " + pool.max()
                            + "), which adds actors when work waits."));
        }
    }

    private static void poolWithoutRoom(Figures figures, PoolUse pool, List<Hint> hints) {
        if (pool.most() > 0 && pool.asked() > pool.most()) {
            hints.add(new Hint(
                    figures.operator(),
                    Pattern.POOL_WITHOUT_ROOM,
                    count(pool.asked()) + " actors were asked for, and the session had room for " + count(pool.most())
                            + ": ask for fewer, or for less per actor."));
        }
    }

    private static String actors(int actors) {
        return count(actors) + (actors == 1 ? " actor was" : " actors were");
    }
}
