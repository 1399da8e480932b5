package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.link.TlsKeys;
import dev.millrace.internal.cluster.start.WorkerStarter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How a driver reaches its workers.
///
/// @param starter not started yet
/// @param token the secret of the workers
/// @param tls null: connections are not encrypted
/// @param compresses whether blocks are compressed on their way to other machines
/// @param patience how long to wait for the first worker
/// @param shuffleStorage the folder of shuffle data; null: it stays in the workers
record ClusterOptions(
        WorkerStarter starter,
        String token,
        @Nullable TlsKeys tls,
        boolean compresses,
        Duration patience,
        @Nullable String shuffleStorage) {}
