package dev.millrace.internal.tensor;

import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.lifetime.Lifetime;
import dev.millrace.iteration.Collate;
import dev.millrace.iteration.DirectTensor;
import dev.millrace.iteration.TensorBatch;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryYielded;
import dev.millrace.type.DataType;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Creates the tensors of one batch.
public final class BatchTensors {
    /// A finished batch and the memory it uses: of copies only what the garbage collector frees.
    public static final class Made implements AutoCloseable {
        private final TensorBatch batch;
        private final List<Block> blocks;
        private final TensorMemory memory;
        private final Lifetime lifetime;

        private Made(TensorBatch batch, List<Block> blocks, TensorMemory memory, Lifetime lifetime) {
            this.batch = batch;
            this.blocks = blocks;
            this.memory = memory;
            this.lifetime = lifetime;
        }

        public TensorBatch batch() {
            return batch;
        }

        /// The batch is no longer valid.
        @Override
        public void close() {
            lifetime.end();
            memory.release();
            blocks.forEach(Block::close);
        }
    }

    private static final String VERB = "iterTensorBatches";
    private static final String COPY = "a copy of a batch";

    private final TensorBatchOptions options;
    private final TensorMemory memory;
    private final Runnable check;
    private final List<String> columns;
    private final Function<String, Column> column;
    private final Map<String, DirectTensor> tensors = new LinkedHashMap<>();
    private final Map<String, String[]> strings = new LinkedHashMap<>();

    private BatchTensors(
            TensorBatchOptions options,
            TensorMemory memory,
            Runnable check,
            List<String> columns,
            Function<String, Column> column) {
        this.options = options;
        this.memory = memory;
        this.check = check;
        this.columns = columns;
        this.column = column;
    }

    /// Takes ownership of the block.
    public static Made of(Block block, TensorBatchOptions options, Allocator account) {
        boolean copied = options.batches().copied();
        TensorMemory memory = new TensorMemory(copied ? Allocator.collected(COPY) : account);
        Lifetime lifetime = new Lifetime(VERB);
        BatchTensors making = new BatchTensors(
                options, memory, lifetime::check, block.schema().names(), block::column);
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(memory);
            scope.add(block);
            Collate collate = options.collate();
            if (collate == null) {
                making.addAll();
            } else {
                making.collate(collate, block, account);
            }
            TensorBatch batch = making.batch(block.rows());
            if (!copied) {
                return scope.keep(new Made(batch, List.of(block), memory, lifetime));
            }
            Made made = scope.keep(new Made(batch, List.of(), memory, lifetime));
            block.close();
            return made;
        }
    }

    /// For a user's function: the tensors end with the batch, unless they are copies.
    public static TensorBatch of(Batch batch, TensorBatchOptions options) {
        // The batch's own account frees what is allocated from it.
        boolean copied = options.batches().copied();
        TensorMemory memory = new TensorMemory(copied ? Allocator.collected(COPY) : batch.allocator());
        Runnable check = copied ? () -> {} : batch::allocator;
        BatchTensors making = new BatchTensors(options, memory, check, batch.columns(), batch::column);
        making.addAll();
        return making.batch(batch.rows());
    }

    private TensorBatch batch(long rows) {
        return new TensorBatch(rows, tensors, strings);
    }

    private void addAll() {
        requireNamed();
        List<String> chosen = options.columns().isEmpty() ? columns : options.columns();
        chosen.forEach(this::add);
    }

    private void requireNamed() {
        Set<String> unknown = new LinkedHashSet<>(options.namedColumns());
        unknown.removeAll(columns);
        // dtype may name a mask.
        options.namedColumns().forEach(name -> {
            unknown.remove(options.of(name).mask());
            unknown.remove(options.of(name).lengths());
        });
        if (!unknown.isEmpty()) {
            throw MillraceException.user(
                    VERB + ": the options speak of " + unknown + ", but the columns are " + columns + ".");
        }
    }

    private void add(String name) {
        Column values = column.apply(name);
        if (options.keepsStrings() && isText(values.type())) {
            String[] kept = new String[Math.toIntExact(values.length())];
            for (int i = 0; i < kept.length; i++) {
                kept[i] = (String) values.value(i);
            }
            strings.put(name, kept);
            return;
        }
        new ColumnTensor(name, values, options.of(name), options.isWritable(), memory, check, this::put).make();
    }

    private static boolean isText(DataType type) {
        return type.equals(DataType.UTF8)
                || type instanceof DataType.Dictionary codes && codes.value().equals(DataType.UTF8);
    }

    private void put(DirectTensor tensor) {
        if (tensors.putIfAbsent(tensor.name(), tensor) != null) {
            throw MillraceException.user(VERB + ": there are two tensors '" + tensor.name()
                    + "'. Give masks and lengths names of their own.");
        }
    }

    private void collate(Collate collate, Block block, Allocator account) {
        try (BatchScope scope = new BatchScope(VERB, account)) {
            collate.collate(scope.adopt(block.retain()), new Collate.Tensors() {
                @Override
                public void add(String name) {
                    BatchTensors.this.add(name);
                }

                @Override
                public DirectTensor add(String name, DataType type, long... shape) {
                    long bytes = TensorElements.width(type);
                    for (long size : shape) {
                        bytes = Math.multiplyExact(bytes, size);
                    }
                    var values = memory.allocate(bytes);
                    values.fill((byte) 0);
                    DirectTensor made = new DirectTensor(name, type, shape, values, check);
                    put(made);
                    return made;
                }

                @Override
                public void addStrings(String name, String... values) {
                    strings.put(name, values.clone());
                }
            });
        } catch (MillraceException | TaskCancelled | MemoryYielded e) {
            throw e;
        } catch (Exception e) {
            throw new MillraceException(Culprit.USER, VERB + ": the collate function failed: " + e, e);
        }
    }
}
