package dev.millrace.internal.cluster.shuffle;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.compression.IpcCompression;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.arrow.IpcMessage;
import dev.millrace.internal.runtime.wire.BlockBytes;
import dev.millrace.internal.runtime.wire.ShardFile;
import dev.millrace.internal.sink.WriteTargets;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.sink.Target;
import dev.millrace.sink.WriteJob;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The files of one session in the folder of shuffle data, as a worker or the driver writes and reads them. They are
/// those of a write job that is never committed: the storage keeps them apart, and removes what dead sessions left.
/// Thread-safe.
public final class ShuffleFolder {
    /// What is read at least of a file, about: a part of a shuffle reads the chunks that have rows of it.
    private static final long CHUNK = 256 << 10;

    private final String folder;
    private final WriteJob job;
    private final IpcCompression compression;
    private final Target target;

    private ShuffleFolder(String folder, WriteJob job, boolean compresses) {
        this.folder = folder;
        this.job = job;
        this.compression = compresses ? IpcCompression.LZ4 : IpcCompression.NONE;
        this.target = WriteTargets.open(folder, List.of());
    }

    /// The folder of a job, which the driver has prepared.
    ///
    /// @throws MillraceException culprit USER, naming the artifact to add, for a storage that is not on the class path
    public static ShuffleFolder of(String folder, String job, boolean compresses) {
        return new ShuffleFolder(folder, new WriteJob(job, false), compresses);
    }

    String folder() {
        return folder;
    }

    WriteJob job() {
        return job;
    }

    Target target() {
        return target;
    }

    /// Writes the rows of a block, which stays open. No file is left if that fails.
    ///
    /// @param name differs from that of every other file of the job
    /// @param account for compressed and buffered bytes
    public ShardFile write(String name, Block block, Allocator account) {
        try {
            Target.OutputFile out = target.create(job, name, account);
            boolean written = false;
            try {
                ShardFile file = writeTo(out, name, block, account);
                out.close();
                written = true;
                return file;
            } finally {
                if (!written) {
                    out.delete();
                }
            }
        } catch (ClosedByInterruptException e) {
            throw new TaskCancelled();
        } catch (IOException e) {
            throw notWritten(block, e);
        } catch (MillraceException e) {
            throw e.getCause() instanceof IOException cause ? notWritten(block, cause) : e;
        }
    }

    private MillraceException notWritten(Block block, IOException e) {
        return new MillraceException(
                Culprit.RESOURCES,
                "Shuffle data of " + block.sizeBytes() + " bytes could not be written to '" + folder + "': "
                        + e.getMessage() + ". Free space there, or name another folder with"
                        + " ClusterSettings.withShuffleStorage(...).",
                e);
    }

    private ShardFile writeTo(Target.OutputFile out, String name, Block block, Allocator account) {
        long rows = block.rows();
        long chunkRows = Math.max(1, Math.ceilDiv(rows, Math.max(1, Math.ceilDiv(block.sizeBytes(), CHUNK))));
        List<Long> ends = new ArrayList<>();
        long position = 0;
        for (long at = 0; at < rows || ends.isEmpty(); at += chunkRows) {
            try (Block chunk = block.slice(at, Math.min(chunkRows, rows - at));
                    IpcMessage message = IpcMessage.of(block.schema(), List.of(chunk), compression, account)) {
                if (at == 0 && chunkRows < rows && message.length() > 2 * CHUNK) {
                    // What all rows share, a dictionary, would be in each chunk.
                    chunkRows = rows;
                    at = -rows;
                    continue;
                }
                message.writeTo(out);
                position += message.length();
                ends.add(position);
            }
        }
        return new ShardFile(name, chunkRows, ends);
    }

    /// Rows of a file, as a block that the caller closes. Only the chunks that have some of them are read.
    public Block read(ShardFile file, long from, long rows, Allocator account) {
        int last = file.ends().size() - 1;
        int first = (int) Math.min(last, from / file.chunkRows());
        last = rows == 0 ? first : (int) Math.min(last, (from + rows - 1) / file.chunkRows());
        long begin = file.start(first);
        Buffer bytes = account.allocate(file.ends().get(last) - begin);
        try {
            fetch(file, begin, bytes, account);
            try (Block all = decode(file, first, last, bytes, account)) {
                return all.slice(from - first * file.chunkRows(), rows);
            }
        } finally {
            bytes.release();
        }
    }

    private void fetch(ShardFile file, long begin, Buffer bytes, Allocator account) {
        StoredFile stored = new StoredFile(target.path(job, file.name()), file.bytes());
        try (RandomFile open = StorageRegistry.of(stored.path()).open(stored, account)) {
            open.willRead(List.of(new RandomFile.Range(begin, begin + bytes.size())));
            open.readFully(begin, bytes.segment().asSlice(0, bytes.size()));
        } catch (ClosedByInterruptException e) {
            throw new TaskCancelled();
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.RESOURCES,
                    "Shuffle data could not be read from '" + stored.path() + "': " + e.getMessage()
                            + ". Nobody else may remove files there while a session runs.",
                    e);
        }
    }

    private static Block decode(ShardFile file, int first, int last, Buffer bytes, Allocator account) {
        List<Block> chunks = new ArrayList<>();
        try {
            long begin = file.start(first);
            for (int i = first; i <= last; i++) {
                Buffer part = Buffer.part(
                        bytes,
                        bytes.segment()
                                .asSlice(file.start(i) - begin, file.ends().get(i) - file.start(i)));
                try {
                    chunks.add(BlockBytes.decode(part, account));
                } finally {
                    part.release();
                }
            }
            return chunks.size() == 1 ? chunks.getFirst().retain() : Blocks.concatenate(account, chunks);
        } finally {
            chunks.forEach(Block::close);
        }
    }

    /// Writes a small file of this name, so that the driver can see whether both mean the same folder.
    public void leaveMark(String name, Allocator account) throws IOException {
        try (Target.OutputFile out = target.create(job, name, account)) {
            ByteBuffer text = StandardCharsets.UTF_8.encode(name);
            while (text.hasRemaining()) {
                out.write(text);
            }
        }
    }
}
