package dev.millrace.internal.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.millrace.batch.Batch;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.models.tensor.ModelTensor;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Calls a model with batches. Thread-safe.
public final class ModelCalls {
    /// The limit of a run: a Java buffer has at most 2 GiB.
    private static final long MAX_BYTES = 1L << 30;

    private final OpenModel model;
    private final String name;
    private final OnnxOptions.Columns columns;
    private final ResultColumns results;
    private final List<ModelTensor> outputs;
    private final OutputShapes shapes = new OutputShapes();
    private final @Nullable ClassScores scores;
    private final LongAdder copied = new LongAdder();
    private final long fixedBatch;
    private final boolean oneSize;
    /// The number of rows of the longest run so far.
    private final AtomicLong longest = new AtomicLong();
    private volatile @Nullable Chosen chosen;

    private record Chosen(Schema schema, Map<ModelTensor, String> columns) {}

    public ModelCalls(OpenModel model, OnnxOptions options) {
        this.model = model;
        this.name = options.fileName();
        this.columns = options.columns();
        this.results = new ResultColumns(options, model.inputs(), model.outputs());
        this.outputs = results.outputs();
        this.fixedBatch = fixedBatch();
        Boolean asked = options.execution().oneSize();
        this.oneSize = asked == null ? model.gpu() != null : asked;
        this.scores = options.scores().isAsked() ? ClassScores.of(name, options.scores(), outputs) : null;
    }

    /// The number of bytes copied between columns and tensors so far: 0 as long as columns have the layout that the
    /// model needs and the shapes of outputs are known before a run.
    public long copiedBytes() {
        return copied.sum();
    }

    public String columnOf(ModelTensor input) {
        String only = model.inputs().size() == 1 ? columns.inputs().get("") : null;
        return columns.inputs().getOrDefault(input.name(), only == null ? input.name() : only);
    }

    private long fixedBatch() {
        Set<Long> sizes = model.inputs().stream()
                .map(ModelTensor::batch)
                .filter(size -> size != ModelTensor.OPEN)
                .collect(Collectors.toSet());
        if (sizes.size() > 1) {
            throw MillraceException.user(name + " has inputs of different first dimensions, "
                    + InputColumns.list(model.inputs()) + ": the first must be the batch in all of them.");
        }
        return sizes.isEmpty() ? ModelTensor.OPEN : sizes.iterator().next();
    }

    /// The batch with the outputs of the model.
    public Batch apply(Batch batch) {
        if (batch.isEmpty()) {
            throw MillraceException.user(name + " was called with a batch without rows.");
        }
        Map<ModelTensor, String> taken = choose(batch.schema());
        Allocator allocator = batch.allocator();
        List<BatchInput> inputs = new ArrayList<>();
        taken.forEach((input, column) -> inputs.add(
                BatchInput.of(name + ": column '" + column + "'", input, batch.column(column), allocator, copied)));
        List<BatchOutput> made = new ArrayList<>();
        outputs.forEach(output -> made.add(new BatchOutput(name, output, batch.rows(), allocator, copied)));
        run(inputs, made, batch.rows(), allocator);
        return result(batch, taken, made);
    }

    private Map<ModelTensor, String> choose(Schema schema) {
        Chosen known = chosen;
        if (known == null || !known.schema().equals(schema)) {
            known = new Chosen(schema, results.choose(schema));
            chosen = known;
        }
        return known.columns();
    }

    private void run(List<BatchInput> inputs, List<BatchOutput> made, long rows, Allocator allocator) {
        long perRun = fixedBatch;
        if (perRun == ModelTensor.OPEN) {
            long largest = inputs.stream().mapToLong(BatchInput::rowBytes).max().orElse(1);
            perRun = Math.max(1, Math.min(rows, MAX_BYTES / Math.max(1, largest)));
        }
        for (long from = 0; from < rows; from += perRun) {
            long count = Math.min(perRun, rows - from);
            run(inputs, made, from, count, length(count), allocator);
        }
    }

    /// The number of rows of a run for `count` rows, including padding.
    private long length(long count) {
        if (fixedBatch != ModelTensor.OPEN) {
            return fixedBatch;
        }
        return oneSize ? longest.accumulateAndGet(count, Math::max) : count;
    }

    /// One run of the model: rows `from` to `from + count`, padded to `run`.
    private void run(
            List<BatchInput> inputs, List<BatchOutput> made, long from, long count, long run, Allocator allocator) {
        Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
        try {
            for (BatchInput input : inputs) {
                tensors.put(
                        input.input().name(), input.tensor(model.environment(), from, count, run, allocator, copied));
            }
            Map<BatchOutput, List<Long>> known = new HashMap<>();
            for (BatchOutput output : made) {
                DataType element = output.output().element();
                if (element != null && ElementTypes.overMemory(element) != null) {
                    shapes.rowShape(output.output(), inputs, run).ifPresent(row -> known.put(output, row));
                }
            }
            if (!known.isEmpty() && !runPinned(tensors, known, inputs, made, from, count, run)) {
                shapes.distrust(known.keySet().stream().map(BatchOutput::output).toList());
                known.keySet().forEach(BatchOutput::reset);
                known.clear();
            }
            if (known.isEmpty()) {
                call(tensors, Map.of(), inputs, made, from, count, run);
            }
        } catch (OrtException e) {
            throw failure(e, inputs, run);
        } finally {
            tensors.values().forEach(OnnxTensor::close);
        }
    }

    /// Lets the model write directly into columns; false if the shapes differ from the expected ones.
    private boolean runPinned(
            Map<String, OnnxTensor> tensors,
            Map<BatchOutput, List<Long>> known,
            List<BatchInput> inputs,
            List<BatchOutput> made,
            long from,
            long count,
            long run)
            throws OrtException {
        Map<String, OnnxTensor> pinned = new LinkedHashMap<>();
        try {
            for (Map.Entry<BatchOutput, List<Long>> entry : known.entrySet()) {
                BatchOutput output = entry.getKey();
                pinned.put(
                        output.output().name(), output.pinned(model.environment(), entry.getValue(), from, count, run));
            }
            call(tensors, pinned, inputs, made, from, count, run);
            known.keySet().forEach(output -> output.written(from, count));
            return true;
        } catch (OrtException e) {
            // Only the first run of a batch can be repeated: rows of earlier runs are in the same memory.
            if (from == 0 && OnnxErrors.isAboutShapes(e)) {
                return false;
            }
            throw e;
        } finally {
            pinned.values().forEach(OnnxTensor::close);
        }
    }

    private void call(
            Map<String, OnnxTensor> tensors,
            Map<String, OnnxTensor> pinned,
            List<BatchInput> inputs,
            List<BatchOutput> made,
            long from,
            long count,
            long run)
            throws OrtException {
        Set<String> others = new LinkedHashSet<>();
        made.forEach(output -> others.add(output.output().name()));
        others.removeAll(pinned.keySet());
        try (OrtSession.Result result = model.session().run(tensors, others, pinned)) {
            for (BatchOutput output : made) {
                String label = output.output().name();
                if (!pinned.containsKey(label)) {
                    OnnxValue value = result.get(label).orElseThrow();
                    output.take(value, from, count, run);
                    shapes.learn(output.output(), inputs, output.rowShape());
                }
            }
        }
    }

    private RuntimeException failure(OrtException e, List<BatchInput> inputs, long run) {
        String fed = inputs.stream()
                .map(input -> "'" + input.input().name() + "' " + input.input().element() + " of " + run + " rows x "
                        + input.rowShape())
                .collect(Collectors.joining(", "));
        String text = name + " failed on " + fed + ": " + OnnxErrors.text(e);
        return OnnxErrors.isOutOfMemory(e)
                ? MemoryRefused.elsewhere(text, e)
                : new MillraceException(Culprit.USER, text, e);
    }

    private Batch result(Batch batch, Map<ModelTensor, String> taken, List<BatchOutput> made) {
        Batch result = batch;
        for (String column : batch.columns()) {
            if (!results.passes(column, batch.schema().type(column), taken)) {
                result = result.without(column);
            }
        }
        if (result.columns().isEmpty()) {
            result = batch.none();
        }
        for (BatchOutput output : made) {
            if (scores != null && scores.takes(output.output())) {
                result = scores.addTo(
                        result, output, results.columnOf(output.output()), batch.allocator(), this::newName);
            } else {
                result = result.with(newName(result, results.columnOf(output.output())), output.column());
            }
        }
        return result;
    }

    private String newName(Batch result, String column) {
        return results.newName(result::has, column);
    }
}
