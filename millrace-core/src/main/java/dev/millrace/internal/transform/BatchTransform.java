package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.compute.Compute;
import dev.millrace.internal.block.BlockShaper;
import dev.millrace.memory.MemoryRefused;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Cuts the input into batches and calls the user's function with each ([BatchCalls]). A batch within one chunk
/// shares its memory; one that spans chunks is a copy. Whole blocks are assembled by the rules of
/// [BlockShaper].
///
/// Batches have the requested size, unless their results are larger than the task's share of memory: then they get
/// smaller ([BatchFit]), down to one row.
final class BatchTransform implements ChunkTransform {
    private static final long AUTO_BYTES = 16L << 20;

    private final String name;
    private final BatchCalls calls;
    private final StepContext context;
    private final ArrayDeque<Block> pending = new ArrayDeque<>();
    private long pendingRows;
    /// The approximate number of bytes of the pending rows.
    private double pendingBytes;
    /// Rows per batch; 0: whole blocks. For AUTO it is computed from the first rows.
    private long size;
    private boolean auto;
    /// Whether whole blocks have to be assembled from chunks.
    private final boolean joinsBlocks;
    /// The position of the first pending row in the input, as far as it is known.
    private String origin = "";
    private long firstRow;

    BatchTransform(BatchCalls calls, int batchSize, StepContext context) {
        this.name = calls.name();
        this.calls = calls;
        this.context = context;
        this.auto = batchSize == Compute.AUTO;
        this.size = Math.max(0, batchSize);
        this.joinsBlocks = batchSize == Compute.WHOLE_BLOCK && !context.getsBlocks();
    }

    @Override
    public void accept(Block chunk, ChunkSink out) throws Exception {
        if (chunk.rows() == 0) {
            // The function is not called without rows; what it would return is not known.
            chunk.close();
            return;
        }
        if (auto) {
            auto = false;
            long bytes = Math.min(AUTO_BYTES, context.batches().shareBytes());
            size = Math.max(1, (long) (bytes / Math.max(1.0, (double) chunk.sizeBytes() / chunk.rows())));
        }
        InputPosition position = context.position();
        boolean exact = chunk.rows() == position.rows();
        if (pending.isEmpty()) {
            origin = position.origin();
            firstRow = position.firstRow();
        }
        boolean together = position.origin().equals(origin) && position.firstRow() == firstRow + pendingRows;
        if (batchRows() == 0) {
            call(chunk, position.toString(), exact ? position.firstRow() : DeadLetters.UNKNOWN_ROW, out);
            return;
        }
        pending.addLast(chunk);
        pendingRows += chunk.rows();
        pendingBytes += chunk.sizeBytes();
        shrinkWhatIsCollected();
        while (pendingRows >= batchRows() && out.wantsMore()) {
            Block batch = take(batchRows());
            if (!exact || pendingRows >= position.rows()) {
                // There was no memory for so many rows, or their origin is unknown.
                call(batch, position.toString(), DeadLetters.UNKNOWN_ROW, out);
                continue;
            }
            long behind = position.firstRow() + position.rows() - pendingRows;
            if (together) {
                call(batch, position.range(firstRow, batch.rows()), firstRow, out);
            } else {
                String both = origin + ", row " + firstRow + " to " + position.range(behind - 1, 1);
                call(batch, both, DeadLetters.UNKNOWN_ROW, out);
            }
            together = true;
            origin = position.origin();
            firstRow = behind;
        }
    }

    /// More rows than a batch may request at once could not be concatenated. If they were collected all the same, they
    /// would take the memory that the previous steps need to produce the rest.
    private void shrinkWhatIsCollected() {
        if (pendingBytes > context.batches().mostAtOnce()
                && pendingRows < batchRows()
                && context.batches().made(name, pendingRows, (long) pendingBytes)) {
            context.counters().addShrunk();
        }
    }

    /// Rows of the next batch; 0: each chunk as it arrives. More than are pending while a whole block is incomplete.
    private long batchRows() {
        long most = context.batches().rows(name);
        long wanted = joinsBlocks
                ? BlockShaper.rowsOfBlock(
                        pendingRows,
                        pendingBytes,
                        context.targetBytes(),
                        context.allocator().isTight())
                : size;
        return most == Long.MAX_VALUE ? wanted : wanted == 0 ? most : Math.min(wanted, most);
    }

    @Override
    public void finish(ChunkSink out) throws Exception {
        while (pendingRows > 0 && out.wantsMore()) {
            long rows = batchRows() == 0 ? pendingRows : Math.min(pendingRows, batchRows());
            call(take(rows), context.position().toString(), DeadLetters.UNKNOWN_ROW, out);
        }
        calls.finish(out);
    }

    /// The first `rows` pending rows as one block; fewer, if there is no memory to concatenate so many.
    private Block take(long rows) {
        long wanted = rows;
        while (true) {
            List<Block> pieces = removeFirst(wanted);
            try {
                Block batch = pieces.size() == 1
                        ? pieces.getFirst().retain()
                        : Blocks.concatenate(context.allocator(), pieces, context.copies());
                pendingBytes -= pendingBytes * wanted / pendingRows;
                pendingRows -= wanted;
                return batch;
            } catch (MemoryRefused e) {
                if (pieces.size() == 1) {
                    throw e;
                }
                pieces.reversed().forEach(piece -> pending.addFirst(piece.retain()));
            } finally {
                pieces.forEach(Block::close);
            }
            context.batches().refused(name, wanted);
            context.counters().addShrunk();
            wanted /= 2;
        }
    }

    private void call(Block batch, String where, long first, ChunkSink out) throws Exception {
        calls.call(new BatchCalls.Input(batch, where, first), out);
    }

    private List<Block> removeFirst(long rows) {
        List<Block> pieces = new ArrayList<>();
        long missing = rows;
        while (missing > 0) {
            Block first = pending.removeFirst();
            if (first.rows() <= missing) {
                pieces.add(first);
                missing -= first.rows();
            } else {
                try (first) {
                    pieces.add(first.slice(0, missing));
                    pending.addFirst(first.slice(missing, first.rows() - missing));
                }
                missing = 0;
            }
        }
        return pieces;
    }

    @Override
    public void close() {
        calls.close();
        pending.forEach(Block::close);
        pending.clear();
    }
}
