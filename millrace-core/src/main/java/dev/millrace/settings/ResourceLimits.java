package dev.millrace.settings;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.Map;

/// What a session may use at most. A null means all there is; custom resources exist only where they are named here
/// or on the cluster.
///
/// @param memory bytes of block memory; null: a share of what the machine or its container has
public record ResourceLimits(Double cpus, Double gpus, Long memory, Map<String, Double> custom)
        implements Serializable {
    public static final ResourceLimits DEFAULT = new ResourceLimits(null, null, null, Map.of());

    public ResourceLimits {
        custom = Map.copyOf(custom);
        if (cpus != null && !(cpus > 0) || gpus != null && !(gpus >= 0) || memory != null && memory <= 0) {
            throw MillraceException.user("Resource limits must be positive, not cpus " + cpus + ", gpus " + gpus
                    + ", memory " + memory + ".");
        }
    }

    public ResourceLimits withCpus(double limit) {
        return new ResourceLimits(limit, gpus, memory, custom);
    }

    public ResourceLimits withGpus(double limit) {
        return new ResourceLimits(cpus, limit, memory, custom);
    }

    public ResourceLimits withMemory(long bytes) {
        return new ResourceLimits(cpus, gpus, bytes, custom);
    }

    public ResourceLimits withCustom(Map<String, Double> amounts) {
        return new ResourceLimits(cpus, gpus, memory, amounts);
    }

    /// The smaller of these limits and what a runtime has. Its memory stays: that is what tasks declare beside blocks,
    /// while `memory` here bounds the blocks themselves.
    public Resources within(Resources capacity) {
        return new Resources(
                cpus == null ? capacity.cpus() : Math.min(cpus, capacity.cpus()),
                gpus == null ? capacity.gpus() : Math.min(gpus, capacity.gpus()),
                capacity.memory(),
                custom.isEmpty() ? capacity.custom() : custom);
    }
}
