package dev.millrace.internal.models.text;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import dev.millrace.batch.Batch;
import dev.millrace.column.TensorBuilder;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.onnx.ModelHeader;
import dev.millrace.internal.onnx.OnnxErrors;
import dev.millrace.internal.onnx.OpenModel;
import dev.millrace.internal.onnx.TensorViews;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.memory.Buffer;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.models.tensor.ModelTensor;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/// Computes embeddings of texts with a BERT model. Owned by one actor.
public final class EmbeddingFunction implements BatchFunction, AutoCloseable {
    private static final long serialVersionUID = 1L;
    private static final String IDS = "input_ids";
    private static final String MASK = "attention_mask";
    private static final String TYPES = "token_type_ids";

    private final transient OpenModel model;
    private final transient WordPieceRules rules;
    private final transient WordPieceEncoder encoder;
    private final transient ModelTensor output;
    private final transient SentencePooling pooling;
    private final EmbeddingOptions options;
    private final int size;

    /// @param model closed by this function
    public EmbeddingFunction(OpenModel model, WordPieceRules rules, EmbeddingOptions options) {
        this.model = model;
        this.rules = rules;
        this.encoder = new WordPieceEncoder(rules);
        this.options = options;
        for (ModelTensor input : model.inputs()) {
            if (!Set.of(IDS, MASK, TYPES).contains(input.name()) || !DataType.INT64.equals(input.element())) {
                throw wrong("has an input " + input);
            }
        }
        this.output = model.outputs().getFirst();
        this.size = sizeOf(output);
        this.pooling = new SentencePooling(size, options.mean(), options.normalised());
    }

    private static int sizeOf(ModelTensor output) {
        List<Long> shape = output.shape();
        if (shape.size() != 3 || shape.get(2) < 1 || !DataType.FLOAT32.equals(output.element())) {
            throw wrong("has the output " + output);
        }
        return Math.toIntExact(shape.get(2));
    }

    /// The length of an embedding that a model file declares; the model is not loaded. Empty if the file is not local.
    public static OptionalInt declaredSize(String model) {
        return ModelHeader.read(model).stream()
                .mapToInt(header -> sizeOf(header.outputs().getFirst()))
                .findFirst();
    }

    private static MillraceException wrong(String what) {
        return MillraceException.user("The embedding model " + what + ". It should take input_ids, attention_mask and"
                + " token_type_ids (int64 [batch, tokens]) and answer with float32 [batch, tokens, size] first.");
    }

    @Override
    public Batch apply(Batch batch) throws InterruptedException {
        int[][] tokens = tokens(batch);
        Buffer vectors = batch.allocator().allocate((long) tokens.length * size * Float.BYTES);
        TaskCancellation running = TaskCancellation.ofThread();
        try (Run run = new Run(batch)) {
            for (int[] rows : TokenRuns.of(tokens, options.rowsPerRun())) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                running.check();
                run.embed(tokens, rows, vectors.segment());
            }
        }
        TensorBuilder column = batch.newTensors(DataType.FLOAT32, size);
        for (int row = 0; row < tokens.length; row++) {
            if (tokens[row] == null) {
                column.appendNull();
            } else {
                column.append(vector(vectors.segment(), row));
            }
        }
        vectors.release();
        return batch.with(options.target(), column);
    }

    private MemorySegment vector(MemorySegment vectors, int row) {
        return vectors.asSlice((long) row * size * Float.BYTES, (long) size * Float.BYTES);
    }

    private int[][] tokens(Batch batch) {
        TextColumn texts = new TextColumn(batch, options.column(), encoder);
        int[][] tokens = new int[Math.toIntExact(batch.rows())][];
        for (int row = 0; row < tokens.length; row++) {
            if (!texts.isNull(row)) {
                int count = texts.encode(row);
                tokens[row] = Arrays.copyOf(encoder.ids(), count);
            }
        }
        return tokens;
    }

    /// The memory for the model runs of a batch. The first run is the largest, so its buffers fit the others.
    private final class Run implements AutoCloseable {
        private final Batch batch;
        private Buffer inputs = Buffer.EMPTY;
        private Buffer outputs = Buffer.EMPTY;

        Run(Batch batch) {
            this.batch = batch;
        }

        void embed(int[][] tokens, int[] rows, MemorySegment vectors) {
            int length = tokens[rows[0]].length;
            long numbers = (long) rows.length * length;
            long outputBytes = numbers * size * Float.BYTES;
            if (outputs.size() < outputBytes) {
                inputs = batch.allocator().allocate(3 * numbers * Long.BYTES);
                outputs = batch.allocator().allocate(outputBytes);
            }
            MemorySegment in = inputs.segment();
            MemorySegment out = outputs.segment().asSlice(0, outputBytes);
            fill(tokens, rows, length, in);
            call(rows.length, length, in, out);
            for (int i = 0; i < rows.length; i++) {
                MemorySegment text = out.asSlice((long) i * length * size * Float.BYTES);
                pooling.pool(text, tokens[rows[i]].length, vector(vectors, rows[i]));
            }
        }

        private void fill(int[][] tokens, int[] rows, int length, MemorySegment in) {
            long numbers = (long) rows.length * length;
            in.asSlice(numbers * Long.BYTES, 2 * numbers * Long.BYTES).fill((byte) 0);
            long at = 0;
            for (int row : rows) {
                int[] ids = tokens[row];
                for (int i = 0; i < length; i++, at++) {
                    in.setAtIndex(JAVA_LONG, at, i < ids.length ? ids[i] : rules.padding());
                    if (i < ids.length) {
                        in.setAtIndex(JAVA_LONG, numbers + at, 1);
                    }
                }
            }
        }

        private void call(int rows, int length, MemorySegment in, MemorySegment out) {
            long bytes = (long) rows * length * Long.BYTES;
            long[] shape = {rows, length};
            Map<String, OnnxTensor> given = new LinkedHashMap<>();
            try {
                for (ModelTensor input : model.inputs()) {
                    long from = bytes * List.of(IDS, MASK, TYPES).indexOf(input.name());
                    given.put(
                            input.name(),
                            TensorViews.over(model.environment(), in.asSlice(from, bytes), shape, DataType.INT64));
                }
                try (OnnxTensor answer = TensorViews.over(
                                model.environment(), out, new long[] {rows, length, size}, DataType.FLOAT32);
                        var _ = model.session().run(given, Set.of(), Map.of(output.name(), answer))) {
                    // The output is written to our memory.
                }
            } catch (OrtException e) {
                String text = "The embedding model failed on " + rows + " texts of " + length + " tokens: "
                        + OnnxErrors.text(e);
                throw OnnxErrors.isOutOfMemory(e)
                        ? MemoryRefused.elsewhere(text, e)
                        : new MillraceException(Culprit.USER, text, e);
            } finally {
                given.values().forEach(OnnxTensor::close);
            }
        }

        @Override
        public void close() {
            inputs.release();
            outputs.release();
        }
    }

    @Override
    public void close() {
        model.close();
    }
}
