package dev.millrace.settings;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The limits of a session, within what exists: 80 CPUs on a machine of 2 are 2. Null means no limit; custom resources
/// exist only if they are named here or on the cluster.
///
/// @param memory bytes of block memory; null: a share of what the machine or its container has. More than those have is
///     an error of the session
/// @param slots instead of the machine's CPUs, for a session in this process: this many tasks of one CPU run at once,
///     even more than there are CPUs; null: as many as there are CPUs
public record ResourceLimits(
        @Nullable Double cpus,
        @Nullable Double gpus,
        @Nullable Long memory,
        Map<String, Double> custom,
        @Nullable Integer slots)
        implements Serializable {
    public static final ResourceLimits DEFAULT = new ResourceLimits(null, null, null, Map.of(), null);

    public ResourceLimits {
        custom = Map.copyOf(custom);
        if (slots != null && slots < 1) {
            throw MillraceException.user("A session has 1 slot for tasks or more, not " + slots + ".");
        }
        if (slots != null && cpus != null) {
            throw MillraceException.user("Resource limits have cpus " + cpus + " and slots " + slots
                    + ": slots stand in place of CPUs, so give one of the two.");
        }
        if (cpus != null && !(cpus > 0) || gpus != null && !(gpus >= 0) || memory != null && memory <= 0) {
            throw MillraceException.user("Resource limits must be positive, not cpus " + cpus + ", gpus " + gpus
                    + ", memory " + memory + ".");
        }
    }

    /// At most this many CPUs.
    public ResourceLimits withCpus(double limit) {
        return new ResourceLimits(limit, gpus, memory, custom, slots);
    }

    /// Runs this many tasks of one CPU at once, whatever the machine has: for tasks that wait more than they compute,
    /// such as those that call a service, and for tests. Not together with [#withCpus].
    public ResourceLimits withSlots(int tasks) {
        return new ResourceLimits(cpus, gpus, memory, custom, tasks);
    }

    /// At most this many GPUs.
    public ResourceLimits withGpus(double limit) {
        return new ResourceLimits(cpus, limit, memory, custom, slots);
    }

    /// This many bytes for blocks; more than the machine has is an error.
    public ResourceLimits withMemory(long bytes) {
        return new ResourceLimits(cpus, gpus, bytes, custom, slots);
    }

    /// Custom resources, by name, that `Compute.resource` requests.
    public ResourceLimits withCustom(Map<String, Double> amounts) {
        return new ResourceLimits(cpus, gpus, memory, amounts, slots);
    }

    /// The smaller of these limits and what a runtime has. Its memory is unchanged: that is what tasks declare beside
    /// blocks, while `memory` here bounds the blocks themselves.
    public Resources within(Resources capacity) {
        return new Resources(
                cpus == null ? capacity.cpus() : Math.min(cpus, capacity.cpus()),
                gpus == null ? capacity.gpus() : Math.min(gpus, capacity.gpus()),
                capacity.memory(),
                custom.isEmpty() ? capacity.custom() : custom);
    }
}
