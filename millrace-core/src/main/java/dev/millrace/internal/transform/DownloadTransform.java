package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.BinaryBuilder;
import dev.millrace.column.Column;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A running [DownloadStep]: rows are emitted in their order, in pieces of about a chunk, as soon as their files have
/// arrived.
final class DownloadTransform implements ChunkTransform {
    private final DownloadStep step;
    private final StepContext context;
    private final TaskErrors.Operation errors;
    private final TaskCancellation running = TaskCancellation.ofThread();

    DownloadTransform(DownloadStep step, StepContext context) {
        this.step = step;
        this.context = context;
        this.errors = context.errors().of(step.name(), step.options().onError());
    }

    @Override
    public void accept(Block chunk, ChunkSink out) throws Exception {
        try (chunk) {
            Schema schema = DownloadStep.output(
                    chunk.schema(), step.addresses(), step.options().column());
            Column addresses = chunk.column(step.addresses());
            if (chunk.rows() == 0) {
                out.emit(Blocks.empty(schema));
                return;
            }
            try (RowDownloads downloads = new RowDownloads(
                            context.allocator(), step.options(), chunk.rows(), row -> (String) addresses.value(row));
                    Piece piece = new Piece(chunk, schema)) {
                for (long row = 0; row < chunk.rows() && out.wantsMore(); row++) {
                    running.check();
                    piece.add(row, downloads);
                    if (piece.isFull()) {
                        out.emit(piece.take());
                    }
                }
                if (piece.from < chunk.rows() && out.wantsMore()) {
                    out.emit(piece.take());
                }
            }
        }
    }

    /// Rows that have their bytes and are emitted together.
    private final class Piece implements AutoCloseable {
        private final Block chunk;
        private final Schema schema;
        private BinaryBuilder bytes = new BinaryBuilder(context.allocator(), 16);
        /// The first row that was not emitted, and the rows from there on that stay.
        private long from;

        private long to;
        private int[] kept = new int[64];
        private int count;

        Piece(Block chunk, Schema schema) {
            this.chunk = chunk;
            this.schema = schema;
        }

        void add(long row, RowDownloads downloads) throws Exception {
            errors.called(1);
            boolean stays = true;
            try {
                downloads.take(row, bytes);
            } catch (IOException e) {
                fail(row, e);
                stays = step.options().onError().action() == ErrorPolicy.Action.NULLS;
                if (stays) {
                    bytes.appendNull();
                }
            }
            to = row + 1;
            if (stays) {
                if (count == kept.length) {
                    kept = Arrays.copyOf(kept, 2 * count);
                }
                kept[count++] = (int) (row - from);
            }
        }

        private void fail(long row, IOException e) {
            InputPosition position = context.position();
            String where = RowTransforms.where(position, chunk, row);
            if (errors.policy().isFail()) {
                // Worded like an error of a source: the engine may retry the task.
                throw new MillraceException(Culprit.RESOURCES, step.name() + " failed on " + where + ": " + e, e);
            }
            errors.failed(
                    e,
                    where,
                    position.origin(),
                    RowTransforms.number(position, chunk, row),
                    1,
                    _ -> RowJson.of(chunk, row));
        }

        /// Cut by numbers only, not by time: a task that is run again must cut its rows in the same places. Few rows,
        /// so that a following limit is soon reached.
        boolean isFull() {
            return bytes.sizeBytes() >= context.chunkBytes()
                    || to - from >= step.options().concurrency();
        }

        Block take() {
            Column made = bytes.build();
            bytes.close();
            bytes = new BinaryBuilder(context.allocator(), 16);
            try (Block rows = rows()) {
                List<Column> columns = new ArrayList<>(rows.columns());
                int at = chunk.schema().indexOf(step.options().column());
                if (at < 0) {
                    columns.add(made);
                } else {
                    columns.set(at, made);
                }
                return Block.sharing(schema, columns, rows.rows());
            } finally {
                made.release();
                from = to;
                count = 0;
            }
        }

        private Block rows() {
            try (Block all = chunk.slice(from, to - from)) {
                return count == to - from ? all.retain() : Blocks.take(context.allocator(), all, kept, count);
            }
        }

        @Override
        public void close() {
            bytes.close();
        }
    }
}
