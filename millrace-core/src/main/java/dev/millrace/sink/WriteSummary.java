package dev.millrace.sink;

import java.util.List;

/// What was written.
///
/// @param files in the order of their rows
/// @param rows in all of them
/// @param bytes of all of them
/// @param skipped true if nothing ran: the target existed ([WriteMode#IGNORE]), or the checkpoint was complete; then
///     the other values describe what the job had written before
public record WriteSummary(List<String> files, long rows, long bytes, boolean skipped) {
    public static final WriteSummary NOTHING = new WriteSummary(List.of(), 0, 0, true);

    public WriteSummary {
        files = List.copyOf(files);
    }
}
