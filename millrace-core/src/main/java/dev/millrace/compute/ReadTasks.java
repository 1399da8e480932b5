package dev.millrace.compute;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.Map;

/// How the tasks of a read run: how many blocks they make, the resources of each, and how many run at once. Immutable;
/// every method returns a changed copy: `ReadTasks.defaults().blocks(64).cpus(0.25)`.
///
/// A following function is fused into the read's tasks only if it has the same CPUs, memory and concurrency; otherwise
/// it has tasks of its own, and both run as configured.
///
/// @param blocks that the read makes; 0: derived from its size and the CPUs
/// @param cpus that a task takes while it reads; may be a fraction, or 0 if it mostly waits
/// @param concurrency the maximum number of tasks at once; Integer.MAX_VALUE: as many as there are CPUs for
/// @param memory bytes that a task needs beside its blocks
public record ReadTasks(int blocks, double cpus, int concurrency, long memory) implements Serializable {
    private static final ReadTasks DEFAULTS = new ReadTasks(0, 1, Integer.MAX_VALUE, 0);

    public ReadTasks {
        if (blocks < 0) {
            throw tooFew("blocks", blocks);
        }
        if (concurrency < 1) {
            throw tooFew("concurrency", concurrency);
        }
        Resources.requireAmount("The CPUs of a read", cpus);
        Resources.requireAmount("The memory of a read", memory);
    }

    /// Blocks by size, one CPU for each task.
    public static ReadTasks defaults() {
        return DEFAULTS;
    }

    /// This many blocks, as long as there are as many rows. Files are split and bundled to make as many splits; if a
    /// format cannot be split, the rows of a file are, after reading. Blocks that would be larger than 1.5 times the
    /// target are cut as everywhere, which makes more of them.
    public ReadTasks blocks(int count) {
        if (count < 1) {
            throw tooFew("blocks", count);
        }
        return new ReadTasks(count, cpus, concurrency, memory);
    }

    /// CPUs that a task takes while it reads: with 0.25, eight run at once on two CPUs.
    public ReadTasks cpus(double each) {
        return new ReadTasks(blocks, each, concurrency, memory);
    }

    /// At most this many tasks at once.
    public ReadTasks concurrency(int most) {
        return new ReadTasks(blocks, cpus, most, memory);
    }

    /// Bytes that a task needs beside its blocks: no more tasks run at once than the session has memory for.
    public ReadTasks memory(long bytes) {
        return new ReadTasks(blocks, cpus, concurrency, bytes);
    }

    /// The resources of one task.
    public Resources resources() {
        return new Resources(cpus, 0, memory, Map.of());
    }

    private static MillraceException tooFew(String what, int count) {
        return MillraceException.user("The " + what + " of a read must be 1 or more, not " + count + ".");
    }
}
