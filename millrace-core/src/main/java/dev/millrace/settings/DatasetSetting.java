package dev.millrace.settings;

/// A value of settings that one dataset may have for itself, instead of its session's: `dataset.with(setting, ...)`.
/// The others belong to the session as a whole: [ResourceLimits] are its threads and its memory, [SpillSettings] its
/// files.
public sealed interface DatasetSetting
        permits BlockSettings, ExecutionSettings, IterationSettings, ProgressSettings, FaultSettings, RunLimits {}
