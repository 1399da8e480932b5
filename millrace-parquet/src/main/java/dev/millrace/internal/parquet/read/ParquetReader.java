package dev.millrace.internal.parquet.read;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.source.ReadContext;
import dev.millrace.source.SplitReader;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Reads the parts of a split one after the other, chunk by chunk. One thread.
final class ParquetReader implements SplitReader {
    private final ParquetSplit split;
    private final ReadContext context;
    private final SpareArrays spare;
    private final PageDecompressor decompressor;
    private final Queue<FilePart> todo;
    private @Nullable FilePartReader part;
    private long wanted;
    private boolean any;

    ParquetReader(ParquetSplit split, ReadContext context) {
        this.split = split;
        this.context = context;
        this.spare = SpareArrays.take();
        this.decompressor = new PageDecompressor(split.plan().options().checksums(), spare);
        this.todo = new ArrayDeque<>(split.parts());
        this.wanted = split.plan().limit();
    }

    @Override
    public @Nullable Block next() {
        while (wanted > 0) {
            if (part == null) {
                FilePart next = todo.poll();
                if (next == null) {
                    break;
                }
                part = guarded(next.file(), () -> new FilePartReader(next, split.plan(), decompressor, context));
            }
            Block chunk = chunk(part);
            if (chunk != null) {
                any = true;
                wanted -= chunk.rows();
                return chunk;
            }
            part.close();
            part = null;
        }
        // A split without rows still returns an empty block with its columns.
        if (!any) {
            any = true;
            return Blocks.empty(split.plan().schema());
        }
        return null;
    }

    /// Null at the end of the part. If the file was modified meanwhile, that is the error, not what its contents look
    /// like.
    private static @Nullable Block chunk(FilePartReader part) {
        try {
            Block chunk = part.next();
            if (chunk == null) {
                part.requireUnchanged();
            }
            return chunk;
        } catch (MalformedParquet | IndexOutOfBoundsException | NegativeArraySizeException e) {
            part.requireUnchanged();
            throw unreadable(part.file(), e);
        } catch (MillraceException e) {
            if (e.culprit() == Culprit.DATA) {
                part.requireUnchanged();
            }
            throw e;
        }
    }

    /// Continues with the next file.
    @Override
    public boolean skipBroken() {
        if (part != null) {
            part.close();
            part = null;
        }
        return !todo.isEmpty();
    }

    interface Work<T> {
        T run();
    }

    /// Turns errors into sentences that name the file.
    static <T> T guarded(String file, Work<T> work) {
        try {
            return work.run();
        } catch (MalformedParquet | IndexOutOfBoundsException | NegativeArraySizeException e) {
            throw unreadable(file, e);
        }
    }

    private static MillraceException unreadable(String file, RuntimeException e) {
        MalformedParquet damage = e instanceof MalformedParquet malformed
                ? malformed
                : new MalformedParquet("something in it refers beyond its end (" + e + ")", e);
        return new MillraceException(
                Culprit.DATA,
                "The Parquet file '" + file + "' cannot be read: " + damage.getMessage() + ". " + damage.remedy(),
                e);
    }

    @Override
    public void close() {
        try (spare;
                decompressor) {
            if (part != null) {
                part.close();
                part = null;
            }
        }
    }
}
