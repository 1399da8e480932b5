package dev.millrace.settings;

import dev.millrace.error.MillraceException;
import java.io.Serializable;

/// How large blocks are. Output is cut only above 1.5 x the target; a row is never split.
///
/// @param minBytes read tasks below this are not worth starting
/// @param targetBytes the size that output blocks aim at
/// @param shuffleTargetBytes the same after a shuffle
/// @param chunkBytes what moves at once inside a task: small enough to stay in cache
public record BlockSettings(long minBytes, long targetBytes, long shuffleTargetBytes, long chunkBytes)
        implements DatasetSetting, Serializable {
    private static final long MIB = 1L << 20;
    public static final BlockSettings DEFAULT = new BlockSettings(MIB, 128 * MIB, 1024 * MIB, MIB);

    public BlockSettings {
        if (minBytes < 1 || targetBytes < minBytes || shuffleTargetBytes < targetBytes || chunkBytes < 1) {
            throw MillraceException.user(
                    "Block sizes need 1 <= min <= target <= shuffle target and a chunk of 1 byte or"
                            + " more, not min " + minBytes + ", target " + targetBytes + ", shuffle target "
                            + shuffleTargetBytes
                            + ", chunk " + chunkBytes + ".");
        }
    }

    /// Read tasks below it are put together.
    public BlockSettings withMinBytes(long bytes) {
        return new BlockSettings(bytes, targetBytes, shuffleTargetBytes, chunkBytes);
    }

    /// What blocks aim at; above one and a half of it they are cut.
    public BlockSettings withTargetBytes(long bytes) {
        return new BlockSettings(Math.min(minBytes, bytes), bytes, Math.max(shuffleTargetBytes, bytes), chunkBytes);
    }

    /// What blocks behind a shuffle may reach at most; a target above it becomes as small.
    public BlockSettings withShuffleTargetBytes(long bytes) {
        return new BlockSettings(Math.min(minBytes, bytes), Math.min(targetBytes, bytes), bytes, chunkBytes);
    }

    /// What goes through a fused chain at once.
    public BlockSettings withChunkBytes(long bytes) {
        return new BlockSettings(minBytes, targetBytes, shuffleTargetBytes, bytes);
    }

    /// Read, transform, write: 64 to 256 MiB.
    public static BlockSettings etl() {
        return new BlockSettings(64 * MIB, 256 * MIB, 1024 * MIB, MIB);
    }

    /// Decoded images and tensors: 32 to 128 MiB.
    public static BlockSettings images() {
        return new BlockSettings(32 * MIB, 128 * MIB, 1024 * MIB, MIB);
    }

    /// Wide scans and aggregates: 128 to 512 MiB.
    public static BlockSettings analytics() {
        return new BlockSettings(128 * MIB, 512 * MIB, 1024 * MIB, MIB);
    }

    /// Little memory: 16 to 64 MiB.
    public static BlockSettings memoryConstrained() {
        return new BlockSettings(16 * MIB, 64 * MIB, 256 * MIB, MIB);
    }

    /// Large exchanges: blocks up to 1 GiB after a shuffle.
    public static BlockSettings shuffleHeavy() {
        return new BlockSettings(64 * MIB, 512 * MIB, 1024 * MIB, MIB);
    }
}
