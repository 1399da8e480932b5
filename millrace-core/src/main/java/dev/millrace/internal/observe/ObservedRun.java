package dev.millrace.internal.observe;

import dev.millrace.settings.Settings;

/// A run of an observed session.
public interface ObservedRun {
    /// Unique in its session; [RunDetails#stats] has it too.
    String name();

    /// The settings in force.
    Settings settings();

    /// The plans, as `explain()` prints them. Plans anew, so it may take milliseconds; until [#close] only.
    String explain();

    /// As it is now, answered by the run's loop; the last state once it has ended.
    RunDetails details();

    /// The plan, and what its blocks hold, is needed no longer.
    void close();
}
