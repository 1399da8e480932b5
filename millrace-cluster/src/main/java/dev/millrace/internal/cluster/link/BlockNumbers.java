package dev.millrace.internal.cluster.link;

/// The numbers of blocks, which are unique within a session: those of a worker begin with its index, from 1 on, those
/// of the driver with 0.
public final class BlockNumbers {
    private static final int INDEX_SHIFT = 40;

    private BlockNumbers() {}

    /// What a worker counts from.
    public static long before(int worker) {
        return (long) worker << INDEX_SHIFT;
    }

    /// The index of the worker that has the block; 0 if it is the driver's.
    public static int worker(long number) {
        return (int) (number >> INDEX_SHIFT);
    }
}
