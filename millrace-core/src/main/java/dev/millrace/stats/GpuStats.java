package dev.millrace.stats;

/// How a GPU of this machine was used while actors of a session had GPUs, by whatever process, as NVIDIA's `nvidia-smi`
/// reports it once in a second.
///
/// @param device the number that `nvidia-smi` has for it
/// @param watchedNanos how long it was watched
/// @param busyNanos of that the time in which it computed
/// @param memoryBytes,peakMemoryBytes in use at last, and the most that was seen
public record GpuStats(
        int device,
        String name,
        long watchedNanos,
        long busyNanos,
        long memoryBytes,
        long peakMemoryBytes,
        long totalMemoryBytes) {
    /// The time in which it waited for work.
    public long idleNanos() {
        return watchedNanos - busyNanos;
    }

    /// The share of the time in which it computed, 0 to 1; 0 if it was not watched for long enough.
    public double busy() {
        return watchedNanos <= 0 ? 0 : (double) busyNanos / watchedNanos;
    }
}
