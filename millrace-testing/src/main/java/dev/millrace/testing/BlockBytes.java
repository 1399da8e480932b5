package dev.millrace.testing;

import dev.millrace.arrow.IpcReader;
import dev.millrace.arrow.IpcWriter;
import dev.millrace.block.Block;
import dev.millrace.block.BlockMetadata;
import dev.millrace.block.Blocks;
import dev.millrace.compression.IpcCompression;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.io.Serializable;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// A block serialised for another process: its metadata, and its rows as an Arrow stream. A reference to a part of the
/// rows is sent with all rows.
record BlockBytes(BlockMetadata metadata, byte[] stream, long from, long rows) implements Serializable {

    /// Serialises the block's rows; does not close the block.
    static BlockBytes encode(Block block, BlockMetadata metadata, Allocator scratch) {
        Buffer buffer = IpcWriter.toBuffer(block.schema(), List.of(block), IpcCompression.NONE, scratch);
        try {
            return new BlockBytes(metadata, buffer.segment().toArray(ValueLayout.JAVA_BYTE), 0, block.rows());
        } finally {
            buffer.release();
        }
    }

    BlockBytes part(long start, long count) {
        return new BlockBytes(metadata, stream, start, count);
    }

    /// The rows as a block that the caller closes, allocated from `account`.
    Block decode(Allocator account) {
        Buffer bytes = account.allocate(stream.length);
        try {
            bytes.segment().copyFrom(java.lang.foreign.MemorySegment.ofArray(stream));
            try (IpcReader reader = IpcReader.of(bytes, account);
                    Block all = readAll(reader, account)) {
                return all.slice(from, rows);
            }
        } finally {
            bytes.release();
        }
    }

    private Block readAll(IpcReader reader, Allocator account) {
        List<Block> batches = new ArrayList<>();
        try {
            for (Block next = reader.next(); next != null; next = reader.next()) {
                batches.add(next);
            }
            return switch (batches.size()) {
                case 0 -> Blocks.empty(metadata.schema());
                case 1 -> batches.getFirst().retain();
                default -> Blocks.concatenate(account, batches);
            };
        } finally {
            batches.forEach(Block::close);
        }
    }
}
