package dev.millrace.settings;

import dev.millrace.compression.IpcCompression;
import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where materialised blocks are spilled when block memory is full. Streaming pipelines never spill.
///
/// @param directories used round-robin; empty: the system's temporary one (`java.io.tmpdir`)
/// @param capBytes of all files of a session together; null: 90 % of what is free when the first block is spilled
/// @param compression of the files, for columns that it shrinks; the others are read without a copy, as all are with
///     NONE
/// @param enabled if not, full memory is an error at once
public record SpillSettings(
        List<String> directories, @Nullable Long capBytes, IpcCompression compression, boolean enabled)
        implements Serializable {
    public static final SpillSettings DEFAULT = new SpillSettings(List.of(), null, IpcCompression.LZ4, true);
    public static final SpillSettings OFF = new SpillSettings(List.of(), null, IpcCompression.LZ4, false);

    public SpillSettings {
        directories = List.copyOf(directories);
        if (capBytes != null && capBytes < 1) {
            throw MillraceException.user("The cap on spilled bytes must be 1 or more, not " + capBytes
                    + ". SpillSettings.OFF turns spilling off.");
        }
    }

    /// Folders, used round-robin; on different disks their speeds add up.
    public SpillSettings withDirectories(String... paths) {
        return new SpillSettings(List.of(paths), capBytes, compression, enabled);
    }

    /// More than this on disk is an error.
    public SpillSettings withCapBytes(long bytes) {
        return new SpillSettings(directories, bytes, compression, enabled);
    }

    /// The compression of blocks on disk.
    public SpillSettings withCompression(IpcCompression other) {
        return new SpillSettings(directories, capBytes, other, enabled);
    }
}
