package dev.millrace.sink;

import java.util.List;

/// A sink whose jobs can be committed part by part and go on after a crash: what checkpoints need.
///
/// The driver asks [#place] what a commit would do, writes that down durably, and then has it done by [#settle]. If it
/// dies in between, the next start finds the note and settles again; what was not noted is thrown away by [#resume] and
/// computed anew.
public interface ResumableSink extends Sink {
    /// Where the files of a task are to go. Changes nothing.
    ///
    /// @param task number of the task: the same files get the same places whenever this is asked
    List<Placement> place(WriteJob job, long task, List<Fragment> fragments);

    /// Has files outlive a crash of the machine, those that do not yet; brings them to their places, unless the job
    /// overwrites: then [#finish] does, and nobody sees new rows beside old ones.
    ///
    /// @throws dev.millrace.error.MillraceException culprit DATA, for a file that is neither here nor there
    void settle(WriteJob job, List<Placement> placements);

    /// Prepares the target for a job that began in an earlier process, and removes what is left of its attempts. All
    /// placements of it that were noted are settled.
    void resume(WriteJob job);

    /// Ends a job whose parts are all settled: an overwrite brings the new files and removes the old ones now. May come
    /// again after a crash.
    WriteSummary finish(WriteJob job, List<Placement> all);

    /// What a job with these files has written.
    WriteSummary summary(List<Placement> all, boolean skipped);

    /// One file's way from where its task wrote it to where it belongs, in the sink's own terms.
    record Placement(String from, String to, long rows, long bytes) {}
}
