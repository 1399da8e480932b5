package dev.millrace.internal.transform;

import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.FunctionUse;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.runtime.ToleratedErrors;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/// A task without a runtime: inputs in, blocks out, on the test's thread. Closing it closes what came out and checks
/// that nothing is held.
final class FakeTask implements TaskContext, AutoCloseable {
    static final long CHUNK_BYTES = 1 << 20;

    private final Allocator root;
    private final Allocator account;
    private final List<Block> inputs = new ArrayList<>();
    final List<Block> outputs = new ArrayList<>();
    final Map<String, Long> counters = new HashMap<>();
    final Map<String, List<Block>> asides = new HashMap<>();
    final List<ToleratedErrors> errors = new ArrayList<>();
    final List<FunctionUse> functions = new ArrayList<>();
    Serializable told;
    Object actorState;
    boolean cancelled;

    FakeTask() {
        this(1L << 30);
    }

    /// @param memory all there is
    FakeTask(long memory) {
        root = Allocator.root("test", memory);
        account = root.child("task");
    }

    static ChainSpec chain(TransformStep... steps) {
        return new ChainSpec("the operator", List.of(steps), 128 << 20, CHUNK_BYTES);
    }

    static TransformStep rows(String name, RowOperation operation) {
        return RowStep.of(name, operation, ErrorPolicy.fail());
    }

    static TransformStep batches(String name, BatchOperation operation, Integer batchSize) {
        return batches(name, operation, batchSize, ErrorPolicy.fail());
    }

    static TransformStep batches(String name, BatchOperation operation, Integer batchSize, ErrorPolicy onError) {
        Compute compute = Compute.defaults().onError(onError);
        return BatchStep.of(name, operation, batchSize == null ? compute : compute.batchSize(batchSize));
    }

    FakeTask input(Block block) {
        inputs.add(block);
        return this;
    }

    /// A block of rows given as `Row`s.
    FakeTask input(Row... rows) {
        return input(block(rows));
    }

    Block block(Row... rows) {
        try (RowAppender appender = new RowAppender(account)) {
            for (Row row : rows) {
                appender.append(row);
            }
            return appender.build();
        }
    }

    /// ids `from` to `to`.
    FakeTask ids(long from, long to) {
        return input(LongStream.range(from, to).mapToObj(id -> Row.of("id", id)).toArray(Row[]::new));
    }

    FakeTask run(TransformStep... steps) throws Exception {
        return run(new TaskPrograms.MapProgram(chain(steps)));
    }

    FakeTask run(TaskProgram program) throws Exception {
        program.run(this);
        return this;
    }

    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Block block : outputs) {
            for (long i = 0; i < block.rows(); i++) {
                Map<String, Object> values = new java.util.LinkedHashMap<>();
                for (int c = 0; c < block.schema().size(); c++) {
                    values.put(block.schema().field(c).name(), block.column(c).value(i));
                }
                rows.add(Row.of(values));
            }
        }
        return rows;
    }

    @Override
    public int inputs() {
        return inputs.size();
    }

    @Override
    public Block input(int index) {
        return inputs.get(index).retain();
    }

    @Override
    public Allocator allocator() {
        return account;
    }

    @Override
    public void emit(Block block) {
        outputs.add(block);
    }

    @Override
    public void emitAside(String name, Block block) {
        asides.computeIfAbsent(name, _ -> new ArrayList<>()).add(block);
    }

    @Override
    public void tolerated(ToleratedErrors tolerated) {
        errors.add(tolerated);
    }

    @Override
    public void used(FunctionUse function) {
        functions.add(function);
    }

    @Override
    public void tell(Serializable value) {
        told = value;
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public Object actorState() {
        return actorState;
    }

    @Override
    public void count(String counter, long amount) {
        counters.merge(counter, amount, Long::sum);
    }

    @Override
    public void close() {
        inputs.forEach(Block::close);
        outputs.forEach(Block::close);
        asides.values().forEach(blocks -> blocks.forEach(Block::close));
        account.close();
        root.close();
    }
}
