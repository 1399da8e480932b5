package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Row operations that create new rows: each input row runs through all of them, and the results are written into
/// columns. A chunk is emitted when it has the wanted size, so few survivors of many chunks are emitted as one; it is
/// emitted in the middle of a call that produces more rows than that.
final class RowPipeline implements ChunkTransform {
    private final List<RowStep.Named> operations;
    private final StepContext context;
    private final RowFeed feed;
    private final RowSink sink;
    private final RowStages stages;
    private final RowTransforms.Failures failures;
    private final FunctionMeter meter;
    /// The number of rows at which the size is checked again.
    private long nextCheck = 1;
    private boolean emitted;

    /// For the current chunk: the destination of its rows, the row in the functions, and, for the meter, since when and
    /// with which row they were called.
    private @Nullable ChunkSink out;

    private long row;
    private long meteredFrom;
    private long began;

    RowPipeline(List<RowStep.Named> operations, StepContext context) {
        this.operations = operations;
        this.context = context;
        this.feed = new RowFeed(operations.getFirst().name());
        this.sink = sinkFor(operations, context);
        this.meter = RowTransforms.meter(operations, context);
        meter.watch(() -> row - meteredFrom);
        this.failures = new RowTransforms.Failures(operations, context);
        this.stages = RowStages.writing(operations, failures, this::append, sink);
    }

    /// The sink for the output of the last operation that creates rows.
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
    public void accept(Block chunk, ChunkSink next) throws Exception {
        try (chunk) {
            out = next;
            nextCheck = Math.min(nextCheck, next.rowsWanted());
            if (next.wantsMore()) {
                run(chunk);
            }
        } finally {
            out = null;
        }
    }

    private void run(Block chunk) throws Exception {
        long rows = chunk.rows();
        row = 0;
        meteredFrom = 0;
        began = meter.begin();
        feed.enter(chunk);
        failures.enter(chunk);
        try {
            while (row < rows && !stages.isStopped()) {
                failures.at(row);
                stages.accept(feed.row(row));
                row++;
                if (stages.undoes() && sink.rows() >= nextCheck) {
                    look();
                }
            }
        } catch (FollowingFailure e) {
            throw e.thrown();
        } catch (Throwable e) {
            throw UserCode.failed(
                    operations.get(stages.current()).name(), RowTransforms.where(context.position(), chunk, row), e);
        } finally {
            feed.leave();
            meter.end(began, row - meteredFrom);
            meteredFrom = row;
        }
    }

    private ChunkSink requireOut() {
        return Objects.requireNonNull(out, "rows are made of a chunk");
    }

    private void append(Object item) {
        sink.append(item);
        if (sink.rows() >= nextCheck && !stages.undoes()) {
            look();
        }
    }

    /// Emits the rows if they are enough for a chunk, or for the following steps.
    private void look() {
        long bytes = sink.sizeBytes();
        long rows = sink.rows();
        ChunkSink out = requireOut();
        long wanted = out.rowsWanted();
        if (bytes >= context.chunkBytes() || rows >= wanted) {
            handOn();
            nextCheck = Math.max(1, Math.min(rows, out.rowsWanted()));
            return;
        }
        // Halfway to a full chunk, estimated from the rows so far; sooner while little is known.
        long expected = (long) (rows * ((double) context.chunkBytes() / Math.max(1, bytes)));
        nextCheck = Math.min(wanted, Math.max(rows + 1, Math.min((rows + expected) / 2, 8 * rows + 16)));
    }

    /// Called when no function is on the stack, and not measured as their time.
    private void handOn() {
        meter.end(began, row - meteredFrom);
        meteredFrom = row;
        try {
            ChunkSink out = requireOut();
            emit(out);
            if (!out.wantsMore()) {
                stages.stop();
            }
        } catch (Exception e) {
            throw new FollowingFailure(e);
        } finally {
            began = meter.begin();
        }
    }

    private void emit(ChunkSink to) throws Exception {
        failures.requireColumns(sink);
        emitted = true;
        to.emit(sink.build());
    }

    @Override
    public void finish(ChunkSink next) throws Exception {
        if (sink.rows() > 0 || !emitted && sink.knowsColumns()) {
            emit(next);
        }
    }

    @Override
    public void close() {
        sink.close();
    }
}
