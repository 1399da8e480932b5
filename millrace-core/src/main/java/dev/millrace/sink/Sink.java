package dev.millrace.sink;

import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/// A target to write to, as an immutable value. One job calls, in this order: [#check] and [#start] once on the driver;
/// [#open] in each attempt of each task, on any worker; then, on the driver, either [#commit] once, with the fragment
/// of exactly one attempt of every task, or [#abort].
///
/// So nothing is visible before the commit, and an attempt that failed, was lost or ran beside another leaves only what
/// [#commit] and [#abort] clean up: a writer must put its output where no other attempt's is.
public interface Sink extends Serializable {
    /// For plans, stats and errors: "Arrow(/data/out)".
    String name();

    /// Refuses what it cannot represent, before anything runs.
    ///
    /// @param schema of the rows, if known
    default void check(Optional<Schema> schema) {}

    /// Prepares the target.
    ///
    /// @return false if there is nothing to do (the target exists and must be left alone): then nothing runs
    /// @throws dev.millrace.error.MillraceException if the target cannot or must not be written to
    boolean start(WriteJob job);

    /// The local folder that a job which has [started][#start] writes to, if it has one: all workers must see it.
    default Optional<String> workFolder(WriteJob job) {
        return Optional.empty();
    }

    /// Begins the output of one attempt of a task, on the thread that will use it.
    SinkWriter open(WriteTask task) throws Exception;

    /// Makes the output visible and frees what the job holds.
    ///
    /// @param fragments in the order of the rows, unless the dataset is unordered
    WriteSummary commit(WriteJob job, List<Fragment> fragments);

    /// Removes everything that the job has written. No task of it runs any more, except on lost workers.
    void abort(WriteJob job);

    /// The minimum number of rows of a task, if there are as many: small blocks are bundled up to it.
    default long minRowsPerTask() {
        return 0;
    }
}
