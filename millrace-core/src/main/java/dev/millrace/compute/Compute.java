package dev.millrace.compute;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How one transform runs: as tasks or in a pool of actors, with which batch size and resources. Immutable; every
/// method returns a changed copy: `Compute.actors(1, 4).batchSize(64).gpus(0.5)`.
public final class Compute implements Serializable {
    private static final long serialVersionUID = 1L;

    /// Batch sizes that are not a number of rows.
    public static final int WHOLE_BLOCK = 0;
    /// About 16 MiB per batch (less with little memory), by the first non-empty block's bytes per row.
    public static final int AUTO = -1;

    /// See [#batchesInFlight].
    public static final int DEFAULT_BATCHES_IN_FLIGHT = 8;

    /// Where a function's calls happen.
    public sealed interface Strategy extends Serializable {}

    /// Stateless calls on any free worker; at most `maxConcurrency` at once.
    public record Tasks(int maxConcurrency) implements Strategy {
        /// "tasks(8)"
        @Override
        public String toString() {
            return "tasks(" + (maxConcurrency == Integer.MAX_VALUE ? "" : maxConcurrency) + ")";
        }
    }

    /// A pool of `min` to `max` actors; each creates the user's object once, calls it, and closes it at the end.
    /// `initial` actors start at once.
    ///
    /// @param concurrency calls that an actor works on at once
    /// @param inFlight calls that are handed to an actor and have not ended, at most
    /// @param asked the requested `min`, if a session has room for fewer actors; else `min`
    public record Actors(int min, int max, int initial, int concurrency, int inFlight, int asked) implements Strategy {
        /// A pool that was not reduced: as many actors were requested as may start, each with its next calls at hand.
        public Actors(int min, int max, int initial, int concurrency) {
            this(min, max, initial, concurrency, 2 * concurrency, min);
        }

        /// The pool, limited to `most` actors.
        Actors within(int most) {
            return min <= most
                    ? new Actors(min, max, Math.max(min, Math.min(initial, most)), concurrency, inFlight, asked)
                    : new Actors(most, most, most, concurrency, inFlight, asked);
        }

        /// As it is written in a program: "actors(4)", "actors(1, 4).initialActors(2).callsAtOnce(8)".
        @Override
        public String toString() {
            return "actors(" + (min == max ? "" : min + ", ") + max
                    + (asked == min ? "" : ", of " + asked + " asked for") + ")"
                    + (initial == min ? "" : ".initialActors(" + initial + ")")
                    + (concurrency == 1 ? "" : ".callsAtOnce(" + concurrency + ")")
                    + (inFlight == 2 * concurrency ? "" : ".callsInFlight(" + inFlight + ")");
        }

        public Actors {
            if (min < 0 || max < 1 || max < min || initial < min || initial > max) {
                throw MillraceException.user("An actor pool needs 0 <= min <= initial <= max and max >= 1, not min "
                        + min + ", initial " + initial + ", max " + max + ".");
            }
            if (concurrency < 1) {
                throw MillraceException.user("An actor runs 1 or more calls at once, not " + concurrency + ".");
            }
            if (inFlight < concurrency) {
                throw MillraceException.user("An actor that runs " + concurrency
                        + " calls at once has as many or more in flight, not " + inFlight + ".");
            }
        }
    }

    private static final Compute DEFAULT = new Compute(null, null, Resources.NONE, false, null, ErrorPolicy.fail(), 0);

    private final @Nullable Strategy strategy;
    private final @Nullable Integer batchSize;
    private final Resources extra;
    private final boolean cpusGiven;
    private final @Nullable String name;
    private final ErrorPolicy onError;
    /// 0: not given.
    private final int batchesInFlight;

    private Compute(
            @Nullable Strategy strategy,
            @Nullable Integer batchSize,
            Resources extra,
            boolean cpusGiven,
            @Nullable String name,
            ErrorPolicy onError,
            int batchesInFlight) {
        this.strategy = strategy;
        this.batchSize = batchSize;
        this.extra = extra;
        this.cpusGiven = cpusGiven;
        this.name = name;
        this.onError = onError;
        this.batchesInFlight = batchesInFlight;
    }

    /// Tasks for a function, a pool from 1 upwards for a class; one CPU each.
    public static Compute defaults() {
        return DEFAULT;
    }

    /// Tasks, as many at once as there are CPUs for.
    public static Compute tasks() {
        return DEFAULT.with(new Tasks(Integer.MAX_VALUE));
    }

    /// Tasks, at most this many at once.
    public static Compute tasks(int maxConcurrency) {
        if (maxConcurrency < 1) {
            throw MillraceException.user("tasks: the concurrency must be 1 or more, not " + maxConcurrency + ".");
        }
        return DEFAULT.with(new Tasks(maxConcurrency));
    }

    /// A fixed pool.
    public static Compute actors(int size) {
        return DEFAULT.with(new Actors(size, size, size, 1));
    }

    /// A pool that grows and shrinks with its queue.
    public static Compute actors(int min, int max) {
        return DEFAULT.with(new Actors(min, max, min, 1));
    }

    /// How many actors of a pool start at once, `min` by default: more where it is known that they will be needed.
    public Compute initialActors(int count) {
        Actors pool = pool("initialActors");
        return with(new Actors(pool.min, pool.max, count, pool.concurrency, pool.inFlight, pool.asked));
    }

    /// How many calls an actor works on at once, on as many threads; 1 by default. The user's object has to be
    /// thread-safe then.
    public Compute callsAtOnce(int count) {
        Actors pool = pool("callsAtOnce");
        return with(new Actors(pool.min, pool.max, pool.initial, count, 2 * count, pool.asked));
    }

    /// How many calls may be handed to an actor before the first of them has ended: those it works on and those it has
    /// at hand for the time after; twice [#callsAtOnce] by default. With as many as it works on, the others stay free
    /// for whichever actor is ready first.
    public Compute callsInFlight(int count) {
        Actors pool = pool("callsInFlight");
        return with(new Actors(pool.min, pool.max, pool.initial, pool.concurrency, count, pool.asked));
    }

    private Actors pool(String option) {
        if (strategy instanceof Actors pool) {
            return pool;
        }
        throw MillraceException.user(
                option + " belongs to a pool of actors: Compute.actors(1, 4)." + option + "(...).");
    }

    /// Rows per batch; [#WHOLE_BLOCK] and [#AUTO] are also allowed.
    public Compute batchSize(int rows) {
        if (rows < AUTO) {
            throw MillraceException.user(
                    "batchSize must be 1 or more rows (or AUTO, or WHOLE_BLOCK), not " + rows + ".");
        }
        return new Compute(strategy, rows, extra, cpusGiven, name, onError, batchesInFlight);
    }

    /// How many batches of an asynchronous function (`mapBatchesAsync`) a task has in flight at once, each with its
    /// input and result in memory: [#DEFAULT_BATCHES_IN_FLIGHT] by default. When memory is short there are fewer.
    public Compute batchesInFlight(int count) {
        if (count < 1) {
            throw MillraceException.user("batchesInFlight must be 1 or more, not " + count + ".");
        }
        return new Compute(strategy, batchSize, extra, cpusGiven, name, onError, count);
    }

    /// CPUs that a task, or a call of an actor, takes while it computes; may be a fraction, or 0 if it mostly waits.
    public Compute cpus(double cpus) {
        Resources.requireAmount("cpus", cpus);
        return new Compute(
                strategy,
                batchSize,
                new Resources(cpus, extra.gpus(), extra.memory(), extra.custom()),
                true,
                name,
                onError,
                batchesInFlight);
    }

    /// GPUs that an actor holds while it lives; 0.5: two actors share one.
    public Compute gpus(double gpus) {
        Resources.requireAmount("gpus", gpus);
        return new Compute(
                strategy,
                batchSize,
                new Resources(extra.cpus(), gpus, extra.memory(), extra.custom()),
                cpusGiven,
                name,
                onError,
                batchesInFlight);
    }

    /// Bytes that one call needs beside its blocks, e.g. for a model.
    public Compute memory(long bytes) {
        Resources.requireAmount("memory", bytes);
        return new Compute(
                strategy,
                batchSize,
                new Resources(extra.cpus(), extra.gpus(), bytes, extra.custom()),
                cpusGiven,
                name,
                onError,
                batchesInFlight);
    }

    /// An amount of a custom resource that [dev.millrace.settings.ResourceLimits] declares.
    public Compute resource(String resource, double amount) {
        Resources.requireAmount("resource '" + resource + "'", amount);
        Map<String, Double> custom = new TreeMap<>(extra.custom());
        custom.put(Objects.requireNonNull(resource), amount);
        return new Compute(
                strategy,
                batchSize,
                new Resources(extra.cpus(), extra.gpus(), extra.memory(), custom),
                cpusGiven,
                name,
                onError,
                batchesInFlight);
    }

    /// The name that errors, stats and progress show instead of the function's.
    public Compute name(String operatorName) {
        return new Compute(
                strategy, batchSize, extra, cpusGiven, Objects.requireNonNull(operatorName), onError, batchesInFlight);
    }

    /// What happens to rows whose function fails; by default, the run fails.
    public Compute onError(ErrorPolicy policy) {
        return new Compute(
                strategy, batchSize, extra, cpusGiven, name, Objects.requireNonNull(policy), batchesInFlight);
    }

    /// The requested strategy, or null if there is none.
    public @Nullable Strategy strategy() {
        return strategy;
    }

    /// Rows per batch, [#WHOLE_BLOCK] or [#AUTO]; null when not given.
    public @Nullable Integer batchSize() {
        return batchSize;
    }

    /// Batches of an asynchronous function that a task has in flight; null when not given.
    public @Nullable Integer batchesInFlight() {
        return batchesInFlight == 0 ? null : batchesInFlight;
    }

    /// The resources of one task or actor: one CPU by default; an actor on a GPU takes no CPU by default.
    public Resources resources() {
        return cpusGiven || extra.gpus() > 0 ? extra : new Resources(1, extra.gpus(), extra.memory(), extra.custom());
    }

    /// The operator's name in plans, stats and errors; null: that of the function.
    public @Nullable String name() {
        return name;
    }

    /// What happens to rows that fail.
    public ErrorPolicy onError() {
        return onError;
    }

    /// The same, with a pool that starts with no more actors than fit, but at least one.
    public Compute within(Resources capacity) {
        if (!(strategy instanceof Actors pool)) {
            return this;
        }
        int most = 1;
        while (most < pool.initial() && resources().times(most + 1.0).fitsIn(capacity)) {
            most++;
        }
        return with(pool.within(most));
    }

    private Compute with(Strategy changed) {
        return new Compute(changed, batchSize, extra, cpusGiven, name, onError, batchesInFlight);
    }

    /// As it is written in a program: `Compute.actors(1, 4).batchSize(64).gpus(0.5)`.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("Compute.").append(strategyText());
        if (batchSize != null) {
            text.append(".batchSize(")
                    .append(
                            switch (batchSize) {
                                case WHOLE_BLOCK -> "WHOLE_BLOCK";
                                case AUTO -> "AUTO";
                                default -> batchSize.toString();
                            })
                    .append(')');
        }
        if (batchesInFlight > 0) {
            text.append(".batchesInFlight(").append(batchesInFlight).append(')');
        }
        if (cpusGiven) {
            text.append(".cpus(").append(Resources.amount(extra.cpus())).append(')');
        }
        if (extra.gpus() > 0) {
            text.append(".gpus(").append(Resources.amount(extra.gpus())).append(')');
        }
        if (extra.memory() > 0) {
            text.append(".memory(").append(extra.memory()).append(')');
        }
        new TreeMap<>(extra.custom())
                .forEach((resource, amount) -> text.append(".resource(")
                        .append(resource)
                        .append(", ")
                        .append(Resources.amount(amount))
                        .append(')'));
        if (name != null) {
            text.append(".name(").append(name).append(')');
        }
        if (!onError.isFail()) {
            text.append(".onError(").append(onError).append(')');
        }
        return text.toString();
    }

    private String strategyText() {
        return switch (strategy) {
            case null -> "defaults()";
            case Tasks tasks -> tasks.toString();
            case Actors actors -> actors.toString();
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Compute c
                && Objects.equals(strategy, c.strategy)
                && Objects.equals(batchSize, c.batchSize)
                && extra.equals(c.extra)
                && cpusGiven == c.cpusGiven
                && Objects.equals(name, c.name)
                && onError.equals(c.onError)
                && batchesInFlight == c.batchesInFlight;
    }

    @Override
    public int hashCode() {
        return Objects.hash(strategy, batchSize, extra, cpusGiven, name, onError, batchesInFlight);
    }
}
