package dev.millrace.settings;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// What each run may use of its session's resources, so that others have the rest: `RunLimits.DEFAULT.withCpus(1)`.
/// Null means no limit of its own. More than the session has is what the session has.
///
/// @param cpus,gpus of the tasks and actors of the run that run at once
/// @param memory bytes of block memory that the run plans with: the size of its blocks and how many tasks it starts
///     follow from it. It is a budget, not a bound: a task that needs more gets it within the session's limit, which is
///     the bound
public record RunLimits(
        @Nullable Double cpus,
        @Nullable Double gpus,
        @Nullable Long memory) implements DatasetSetting, Serializable {
    public static final RunLimits DEFAULT = new RunLimits(null, null, null);

    public RunLimits {
        if (cpus != null && !(cpus > 0) || gpus != null && !(gpus >= 0) || memory != null && memory <= 0) {
            throw MillraceException.user("Limits of a run must be positive, not cpus " + cpus + ", gpus " + gpus
                    + ", memory " + memory + ".");
        }
    }

    /// At most this many CPUs.
    public RunLimits withCpus(double limit) {
        return new RunLimits(limit, gpus, memory);
    }

    /// At most this many GPUs.
    public RunLimits withGpus(double limit) {
        return new RunLimits(cpus, limit, memory);
    }

    /// A budget of this many bytes for blocks.
    public RunLimits withMemory(long bytes) {
        return new RunLimits(cpus, gpus, bytes);
    }

    /// The smaller of these limits and what a session has. Memory is unchanged: that is what tasks declare beside
    /// blocks.
    public Resources within(Resources session) {
        return new Resources(
                cpus == null ? session.cpus() : Math.min(cpus, session.cpus()),
                gpus == null ? session.gpus() : Math.min(gpus, session.gpus()),
                session.memory(),
                session.custom());
    }

    /// The bytes for blocks, of those of a session.
    public long blockBytes(long session) {
        return memory == null ? session : Math.min(memory, session);
    }
}
