package dev.millrace.settings;

import java.io.Serializable;

/// All settings of a session, one value per concern. Immutable; a dataset keeps those it was created with.
public record Settings(
        BlockSettings blocks,
        ResourceLimits limits,
        ExecutionSettings execution,
        IterationSettings iteration,
        ProgressSettings progress,
        FaultSettings faults,
        SpillSettings spill)
        implements Serializable {
    public static final Settings DEFAULT = new Settings(
            BlockSettings.DEFAULT,
            ResourceLimits.DEFAULT,
            ExecutionSettings.DEFAULT,
            IterationSettings.DEFAULT,
            ProgressSettings.DEFAULT,
            FaultSettings.DEFAULT,
            SpillSettings.DEFAULT);

    /// The same with other sizes of blocks.
    public Settings with(BlockSettings changed) {
        return new Settings(changed, limits, execution, iteration, progress, faults, spill);
    }

    /// The same with other limits.
    public Settings with(ResourceLimits changed) {
        return new Settings(blocks, changed, execution, iteration, progress, faults, spill);
    }

    /// The same with other rules of execution.
    public Settings with(ExecutionSettings changed) {
        return new Settings(blocks, limits, changed, iteration, progress, faults, spill);
    }

    /// The same with other defaults of iterations.
    public Settings with(IterationSettings changed) {
        return new Settings(blocks, limits, execution, changed, progress, faults, spill);
    }

    /// The same with another display of progress.
    public Settings with(ProgressSettings changed) {
        return new Settings(blocks, limits, execution, iteration, changed, faults, spill);
    }

    /// The same with other rules for faults.
    public Settings with(FaultSettings changed) {
        return new Settings(blocks, limits, execution, iteration, progress, changed, spill);
    }

    /// The same with other places and limits on disk.
    public Settings with(SpillSettings changed) {
        return new Settings(blocks, limits, execution, iteration, progress, faults, changed);
    }
}
