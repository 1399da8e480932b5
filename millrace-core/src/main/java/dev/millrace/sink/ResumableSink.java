package dev.millrace.sink;

import java.util.List;

/// A sink whose jobs can be committed part by part and resumed after a crash: required for checkpoints.
///
/// The driver asks [#place] what a commit would do, records that durably, and then calls [#settle] to do it. If it dies
/// in between, the next start finds the record and settles again; [#resume] discards what was not recorded, and it is
/// computed again.
public interface ResumableSink extends Sink {
    /// Where the files of a task will be. Changes nothing.
    ///
    /// @param task number of the task: the same files get the same places whenever this is called
    List<Placement> place(WriteJob job, long task, List<Fragment> fragments);

    /// Makes files durable that are not yet, and renames them to their places, unless the job overwrites: then
    /// [#finish] does, so that no reader sees new rows beside old ones.
    ///
    /// @throws dev.millrace.error.MillraceException culprit DATA, for a file that is neither here nor there
    void settle(WriteJob job, List<Placement> placements);

    /// Prepares the target for a job that began in an earlier process, and removes leftovers of its attempts. All its
    /// recorded placements are settled.
    void resume(WriteJob job);

    /// Ends a job whose parts are all settled: an overwrite now adds the new files and removes the old ones. May be
    /// called again after a crash.
    WriteSummary finish(WriteJob job, List<Placement> all);

    /// What a job with these files has written.
    WriteSummary summary(List<Placement> all, boolean skipped);

    /// The path of one file from where its task wrote it to where it belongs, in the sink's own terms.
    record Placement(String from, String to, long rows, long bytes) {}
}
