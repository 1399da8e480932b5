package dev.millrace.internal.cluster.start;

/// Where a worker listens.
///
/// @param host a name or an address that driver and other workers can reach
/// @param label how the starter calls the worker, for errors and logs: "local process 2 (pid 4711)"
public record WorkerAddress(String host, int port, String label) {
    public WorkerAddress {
        if (host.isBlank() || port < 1 || port > 65535) {
            throw new IllegalArgumentException("no address of a worker: " + host + ":" + port);
        }
    }

    @Override
    public String toString() {
        return label + " at " + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
