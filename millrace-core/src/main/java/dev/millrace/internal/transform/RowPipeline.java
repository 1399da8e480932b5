package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import java.util.List;

/// Row operations that make new rows: each input row runs through all of them, and what comes out is written into
/// columns. A chunk leaves when it has the wanted size, so few survivors of many chunks come out as one.
final class RowPipeline implements Transform {
    private final List<RowStep.Named> operations;
    private final StepContext context;
    private final RowFeed feed;
    private final RowSink sink;
    private final RowStages stages;
    private final RowTransforms.Failures failures;
    private final FunctionMeter meter;
    /// The number of rows at which the size is looked at again.
    private long nextCheck = 1;
    private boolean emitted;

    RowPipeline(List<RowStep.Named> operations, StepContext context) {
        this.operations = operations;
        this.context = context;
        this.feed = new RowFeed(operations.getFirst().name());
        this.sink = sinkFor(operations, context);
        this.meter = RowTransforms.meter(operations, context);
        this.failures = new RowTransforms.Failures(operations, context);
        this.stages = RowStages.writing(operations, failures, sink::append, sink);
    }

    /// What the last operation that makes rows makes.
    private static RowSink sinkFor(List<RowStep.Named> operations, StepContext context) {
        for (RowStep.Named named : operations.reversed()) {
            switch (named.operation()) {
                case RowOperation.MapRecord<?, ?> map -> {
                    return new RecordSink(RecordCodec.of(map.output()), context.allocator());
                }
                case RowOperation.FlatMapRecord<?, ?> flatMap -> {
                    return new RecordSink(RecordCodec.of(flatMap.output()), context.allocator());
                }
                case RowOperation.Map _, RowOperation.FlatMap _, RowOperation.Stateful _ -> {
                    return new RowAppender(context.allocator());
                }
                case RowOperation.Filter _, RowOperation.FilterRecord<?> _ -> {}
            }
        }
        return new RowAppender(context.allocator());
    }

    @Override
    public void accept(Block chunk, ChunkSink out) throws Exception {
        try (chunk) {
            long row = 0;
            while (row < chunk.rows() && out.wantsMore()) {
                row = run(chunk, row);
                if (sink.rows() >= nextCheck) {
                    emitIfFull(out);
                }
            }
        }
    }

    /// Runs rows from `from` until the chunk ends or the sink wants to be looked at; answers the next row.
    private long run(Block chunk, long from) {
        long rows = chunk.rows();
        long row = from;
        long began = meter.begin();
        feed.enter(chunk);
        failures.enter(chunk);
        try {
            while (row < rows && sink.rows() < nextCheck) {
                failures.at(row);
                stages.accept(feed.row(row));
                row++;
            }
        } catch (Throwable e) {
            throw UserCode.failed(
                    operations.get(stages.current()).name(), RowTransforms.where(context.position(), chunk, row), e);
        } finally {
            feed.leave();
            meter.end(began, row - from);
        }
        return row;
    }

    private void emitIfFull(ChunkSink out) throws Exception {
        long bytes = sink.sizeBytes();
        long rows = sink.rows();
        if (bytes >= context.chunkBytes()) {
            emit(out);
            nextCheck = Math.max(1, rows);
            return;
        }
        // Half of the way to a full chunk, by the rows so far; sooner while little is known.
        long expected = (long) (rows * ((double) context.chunkBytes() / Math.max(1, bytes)));
        nextCheck = Math.max(rows + 1, Math.min((rows + expected) / 2, 8 * rows + 16));
    }

    private void emit(ChunkSink out) throws Exception {
        failures.requireColumns(sink);
        emitted = true;
        out.emit(sink.build());
    }

    @Override
    public void finish(ChunkSink out) throws Exception {
        if (sink.rows() > 0 || !emitted && sink.knowsColumns()) {
            emit(out);
        }
    }

    @Override
    public void close() {
        sink.close();
    }
}
