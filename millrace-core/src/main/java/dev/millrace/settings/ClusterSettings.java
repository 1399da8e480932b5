package dev.millrace.settings;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How a session reaches the workers of a cluster; of no meaning to a session in this process.
///
/// @param tokenFile the file with the secret of workers that others started; null: the environment has it
///     (`MILLRACE_TOKEN`), or the session makes one for workers that it starts
/// @param tlsFile a PKCS #12 file with the key and certificate that driver and workers share; null: connections are not
///     encrypted. Its password is in `MILLRACE_TLS_PASSWORD`
/// @param workerMemory bytes of block memory of each worker that the session starts on this machine; null: an equal
///     share of what a session in this process would have
/// @param compresses whether blocks are compressed (LZ4) on their way to another machine
/// @param connectTimeout how long a session waits for its first worker
/// @param shuffleStorage a folder that the driver and all workers see, at the same path or in an object store, for the
///     rows that shuffles move; null: they stay in the workers that made them, and are lost with these
public record ClusterSettings(
        @Nullable String tokenFile,
        @Nullable String tlsFile,
        @Nullable Long workerMemory,
        boolean compresses,
        Duration connectTimeout,
        @Nullable String shuffleStorage)
        implements Serializable {
    public static final ClusterSettings DEFAULT =
            new ClusterSettings(null, null, null, true, Duration.ofSeconds(30), null);

    public ClusterSettings {
        if (workerMemory != null && workerMemory < 1 << 20) {
            throw MillraceException.user("A worker needs a block memory of 1 MiB or more, not " + workerMemory + ".");
        }
        if (connectTimeout.isNegative() || connectTimeout.isZero()) {
            throw MillraceException.user("connectTimeout must be more than zero, not " + connectTimeout + ".");
        }
    }

    /// The file with the secret that workers were started with.
    public ClusterSettings withTokenFile(String file) {
        return new ClusterSettings(file, tlsFile, workerMemory, compresses, connectTimeout, shuffleStorage);
    }

    /// Encrypted connections, with the keys of this file.
    public ClusterSettings withTls(String file) {
        return new ClusterSettings(tokenFile, file, workerMemory, compresses, connectTimeout, shuffleStorage);
    }

    /// The block memory of each worker that the session starts on this machine.
    public ClusterSettings withWorkerMemory(long bytes) {
        return new ClusterSettings(tokenFile, tlsFile, bytes, compresses, connectTimeout, shuffleStorage);
    }

    /// Whether blocks are compressed on their way to another machine.
    public ClusterSettings withCompression(boolean compressed) {
        return new ClusterSettings(tokenFile, tlsFile, workerMemory, compressed, connectTimeout, shuffleStorage);
    }

    /// How long to wait for the first worker.
    public ClusterSettings withConnectTimeout(Duration timeout) {
        return new ClusterSettings(tokenFile, tlsFile, workerMemory, compresses, timeout, shuffleStorage);
    }

    /// Keeps the rows that sorts, joins, groupings and other shuffles move in files of this folder (`/mnt/shared/tmp`,
    /// `s3://bucket/tmp`), so that nothing is computed again when a worker is lost. The files are removed when they are
    /// not needed any more.
    public ClusterSettings withShuffleStorage(String folder) {
        return new ClusterSettings(tokenFile, tlsFile, workerMemory, compresses, connectTimeout, folder);
    }
}
