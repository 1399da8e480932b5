package dev.millrace.internal.ray;

import org.jspecify.annotations.Nullable;

/// How each node starts its worker.
///
/// @param main the class to start: [dev.millrace.internal.cluster.worker.WorkerMain], or what takes the same options
/// @param memory bytes for blocks; null: a share of the node's
/// @param tls the file with keys, on the nodes as here; null: connections are not encrypted
/// @param patience seconds that a node, or the autoscaler, has until somebody is told what is missing
record WorkerLaunch(
        String main, @Nullable Long memory, @Nullable String tls, int patience) {}
