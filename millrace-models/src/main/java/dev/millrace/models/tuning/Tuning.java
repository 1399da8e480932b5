package dev.millrace.models.tuning;

import dev.millrace.batch.Batch;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Factory;
import dev.millrace.internal.runtime.MachineLimits;
import dev.millrace.models.OnnxModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/// Finds the batch size and number of actors with which a model is fastest on this machine, within a memory limit.
///
/// ```java
/// TuningReport report = Tuning.of(OnnxModel.of("resnet50.onnx")).memory(2L << 30).actors(1, 2).run();
/// dataset.mapBatches(OnnxModel.of("resnet50.onnx"), report.compute());
/// ```
///
/// The batch size is doubled from one row on as long as throughput improves. A size that does not fit into memory is a
/// point of the curve like any other: no size as large is tried again. The CPUs are shared by the actors, so that one
/// actor with two threads is compared with two actors with one thread. Immutable: every method returns a modified copy.
public final class Tuning {
    private final Factory<? extends BatchFunction> factory;
    private final Batch sample;
    private final long memory;
    private final int maxBatch;
    private final List<Integer> actors;
    private final int cpus;
    private final Duration time;
    private final Consumer<TuningPoint> listener;

    private Tuning(
            Factory<? extends BatchFunction> factory,
            Batch sample,
            long memory,
            int maxBatch,
            List<Integer> actors,
            int cpus,
            Duration time,
            Consumer<TuningPoint> listener) {
        this.factory = factory;
        this.sample = sample;
        this.memory = memory;
        this.maxBatch = maxBatch;
        this.actors = actors;
        this.cpus = cpus;
        this.time = time;
        this.listener = listener;
    }

    /// Tunes a model with random rows in the shapes of its inputs; see [#of(OnnxModel, Map)] for inputs of open shapes.
    public static Tuning of(OnnxModel model) {
        return of(model, Map.of());
    }

    /// Tunes a model whose inputs have open shapes.
    ///
    /// @param rowShapes the shape of one row by the name of the input, for inputs whose shape is open
    public static Tuning of(OnnxModel model, Map<String, int[]> rowShapes) {
        return of(model, SampleRows.random(model, rowShapes));
    }

    /// Tunes any function over batches that actors create.
    ///
    /// @param sample typical input rows; repeated to fill larger batches
    public static Tuning of(Factory<? extends BatchFunction> factory, Batch sample) {
        if (sample.isEmpty()) {
            throw MillraceException.user("Tuning needs a sample of one row or more.");
        }
        MachineLimits machine = MachineLimits.local();
        return new Tuning(
                Objects.requireNonNull(factory),
                sample,
                machine.memory() / 2,
                1024,
                List.of(1),
                machine.cpus(),
                Duration.ofMinutes(2),
                _ -> {});
    }

    /// The number of bytes by which the process may grow. Half of the machine's memory by default.
    public Tuning memory(long bytes) {
        if (bytes < 1) {
            throw MillraceException.user("memory: 1 byte or more, not " + bytes + ".");
        }
        return new Tuning(factory, sample, bytes, maxBatch, actors, cpus, time, listener);
    }

    /// The largest batch to try; 1024 by default.
    public Tuning maxBatch(int rows) {
        if (rows < 1) {
            throw MillraceException.user("maxBatch: 1 row or more, not " + rows + ".");
        }
        return new Tuning(factory, sample, memory, rows, actors, cpus, time, listener);
    }

    /// The numbers of actors to try; 1 by default.
    public Tuning actors(Integer... counts) {
        if (counts.length == 0 || Arrays.stream(counts).anyMatch(count -> count < 1)) {
            throw MillraceException.user("actors: 1 or more, not " + Arrays.toString(counts) + ".");
        }
        return new Tuning(factory, sample, memory, maxBatch, List.of(counts), cpus, time, listener);
    }

    /// The CPUs that the actors share; all of the machine's by default.
    public Tuning cpus(int count) {
        if (count < 1) {
            throw MillraceException.user("cpus: 1 or more, not " + count + ".");
        }
        return new Tuning(factory, sample, memory, maxBatch, actors, count, time, listener);
    }

    /// The approximate time limit of the search; two minutes by default.
    public Tuning time(Duration limit) {
        return new Tuning(factory, sample, memory, maxBatch, actors, cpus, Objects.requireNonNull(limit), listener);
    }

    /// Called with each point after it is measured.
    public Tuning onPoint(Consumer<TuningPoint> told) {
        return new Tuning(factory, sample, memory, maxBatch, actors, cpus, time, Objects.requireNonNull(told));
    }

    /// Runs the search on the calling thread and one more thread per actor.
    public TuningReport run() {
        TuningSearch.Space space = new TuningSearch.Space(maxBatch, actors);
        TuningTrial trial = new TuningTrial(factory, sample, cpus, memory, time.dividedBy(10));
        List<TuningPoint> points = new ArrayList<>();
        long deadline = System.nanoTime() + time.toNanos();
        boolean complete = false;
        try {
            while (System.nanoTime() < deadline || points.isEmpty()) {
                Optional<TuningSearch.Candidate> next = TuningSearch.next(space, points);
                if (next.isEmpty()) {
                    complete = true;
                    break;
                }
                TuningPoint point = trial.run(next.get());
                points.add(point);
                listener.accept(point);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        TuningSearch.Decision decision = TuningSearch.decide(points);
        return new TuningReport(points, Optional.ofNullable(decision.best()), decision.reason(), complete);
    }
}
