package dev.millrace.settings;

import java.io.Serializable;
import java.util.List;

/// All settings, one value per concern. Immutable. A dataset has those of its session, but for each [DatasetSetting]
/// that it was given for itself.
public record Settings(
        BlockSettings blocks,
        ResourceLimits limits,
        ExecutionSettings execution,
        IterationSettings iteration,
        ProgressSettings progress,
        FaultSettings faults,
        SpillSettings spill,
        RunLimits runs,
        ClusterSettings cluster,
        DashboardSettings dashboard,
        LogSettings log)
        implements Serializable {
    public static final Settings DEFAULT = new Settings(
            BlockSettings.DEFAULT,
            ResourceLimits.DEFAULT,
            ExecutionSettings.DEFAULT,
            IterationSettings.DEFAULT,
            ProgressSettings.DEFAULT,
            FaultSettings.DEFAULT,
            SpillSettings.DEFAULT,
            RunLimits.DEFAULT,
            ClusterSettings.DEFAULT,
            DashboardSettings.OFF,
            LogSettings.OFF);

    /// The same with other sizes of blocks.
    public Settings with(BlockSettings changed) {
        return new Settings(
                changed, limits, execution, iteration, progress, faults, spill, runs, cluster, dashboard, log);
    }

    /// The same with other limits.
    public Settings with(ResourceLimits changed) {
        return new Settings(
                blocks, changed, execution, iteration, progress, faults, spill, runs, cluster, dashboard, log);
    }

    /// The same with other rules of execution.
    public Settings with(ExecutionSettings changed) {
        return new Settings(blocks, limits, changed, iteration, progress, faults, spill, runs, cluster, dashboard, log);
    }

    /// The same with other defaults of iterations.
    public Settings with(IterationSettings changed) {
        return new Settings(blocks, limits, execution, changed, progress, faults, spill, runs, cluster, dashboard, log);
    }

    /// The same with another display of progress.
    public Settings with(ProgressSettings changed) {
        return new Settings(
                blocks, limits, execution, iteration, changed, faults, spill, runs, cluster, dashboard, log);
    }

    /// The same with other rules for faults.
    public Settings with(FaultSettings changed) {
        return new Settings(
                blocks, limits, execution, iteration, progress, changed, spill, runs, cluster, dashboard, log);
    }

    /// The same with other places and limits on disk.
    public Settings with(SpillSettings changed) {
        return new Settings(
                blocks, limits, execution, iteration, progress, faults, changed, runs, cluster, dashboard, log);
    }

    /// The same with other limits of each run.
    public Settings with(RunLimits changed) {
        return new Settings(
                blocks, limits, execution, iteration, progress, faults, spill, changed, cluster, dashboard, log);
    }

    /// The same with another way to reach workers.
    public Settings with(ClusterSettings changed) {
        return new Settings(
                blocks, limits, execution, iteration, progress, faults, spill, runs, changed, dashboard, log);
    }

    /// The same with another dashboard.
    public Settings with(DashboardSettings changed) {
        return new Settings(blocks, limits, execution, iteration, progress, faults, spill, runs, cluster, changed, log);
    }

    /// The same with another log.
    public Settings with(LogSettings changed) {
        return new Settings(
                blocks, limits, execution, iteration, progress, faults, spill, runs, cluster, dashboard, changed);
    }

    /// The same with this setting instead of the one of its kind.
    public Settings with(DatasetSetting setting) {
        return switch (setting) {
            case BlockSettings changed -> with(changed);
            case ExecutionSettings changed -> with(changed);
            case IterationSettings changed -> with(changed);
            case ProgressSettings changed -> with(changed);
            case FaultSettings changed -> with(changed);
            case RunLimits changed -> with(changed);
        };
    }

    /// Whether somebody looks at the tasks of runs: a dashboard, or a log.
    public boolean isObserved() {
        return dashboard.on() || log.on();
    }

    /// What a dataset may have for itself of these.
    public List<DatasetSetting> ofDatasets() {
        return List.of(blocks, execution, iteration, progress, faults, runs);
    }
}
