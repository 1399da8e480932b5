package dev.millrace.internal.runtime.wire;

import dev.millrace.arrow.IpcReader;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.compression.IpcCompression;
import dev.millrace.internal.arrow.IpcMessage;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Rows of a block, for another process: all rows of the block as an Arrow stream, and which of them are meant.
public record BlockBytes(byte[] stream, long from, long rows) {

    /// All rows of the block, which stays open.
    public static BlockBytes encode(Block block, Allocator scratch) {
        try (IpcMessage message = IpcMessage.of(block.schema(), List.of(block), IpcCompression.NONE, scratch)) {
            return new BlockBytes(message.toArray(), 0, block.rows());
        }
    }

    /// Other rows of the same block.
    public BlockBytes part(long start, long count) {
        return new BlockBytes(stream, start, count);
    }

    /// The rows as a block that the caller closes, allocated from `account`.
    public Block decode(Allocator account) {
        Buffer bytes = account.allocate(stream.length);
        try {
            bytes.segment().copyFrom(MemorySegment.ofArray(stream));
            try (Block all = decode(bytes, account)) {
                return all.slice(from, rows);
            }
        } finally {
            bytes.release();
        }
    }

    /// The rows of an Arrow stream in memory as one block, which the caller closes. It holds references to `bytes`, and
    /// the caller keeps its own.
    public static Block decode(Buffer bytes, Allocator account) {
        List<Block> batches = new ArrayList<>();
        try (IpcReader reader = IpcReader.of(bytes, account)) {
            for (Block next = reader.next(); next != null; next = reader.next()) {
                batches.add(next);
            }
            return switch (batches.size()) {
                case 0 -> Blocks.empty(reader.schema());
                case 1 -> batches.getFirst().retain();
                default -> Blocks.concatenate(account, batches);
            };
        } finally {
            batches.forEach(Block::close);
        }
    }
}
