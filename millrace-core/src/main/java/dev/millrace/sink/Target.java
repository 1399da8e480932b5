package dev.millrace.sink;

import dev.millrace.memory.Allocator;
import dev.millrace.sink.ResumableSink.Placement;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Optional;

/// A folder that jobs write files to, in any storage. Nothing of a job is visible before [#commit] or [#settle]; every
/// file that they make visible is complete.
public interface Target {
    /// Refuses a target that is something else, or cannot be written to.
    void requireFolder();

    /// True if there is anything except names that begin with `_` or `.`.
    boolean hasContents();

    /// Prepares for the files of a job, and may remove leftovers of dead jobs.
    void prepare(WriteJob job);

    /// The local folder for the files of a job that is prepared; empty for other storages.
    default Optional<String> workFolder(WriteJob job) {
        return Optional.empty();
    }

    /// Begins a file of an attempt. After the end of the job this fails, so that a lost worker cannot add to it.
    ///
    /// @param name differs from that of every other file of the job
    /// @param allocator the account for buffered bytes
    OutputFile create(WriteJob job, String name, Allocator allocator) throws IOException;

    /// The path of a file that an attempt has closed, for a [dev.millrace.storage.Storage]: files of a job that are
    /// only for its own tasks are read there and never committed.
    String path(WriteJob job, String reference);

    /// Removes such files. One that is not there is no error.
    void remove(WriteJob job, List<String> references) throws IOException;

    /// Refuses names that are not files of this folder, or that exist. A name with the job's id in it exists nowhere
    /// else.
    void requireName(WriteJob job, String name, boolean mayReplace);

    /// Moves all files to their places that are not there yet, and then creates `_SUCCESS`, which says that the folder
    /// is complete. If one fails, everything is rolled back. What a crash in the middle leaves depends on the storage:
    /// on local disks all or nothing, see `designs/commits.md`.
    ///
    /// @param overwrite removes all other files that a read of this folder would find
    void commit(WriteJob job, List<Placement> placements, boolean overwrite);

    /// Makes those files of a resumable job durable that are not yet.
    ///
    /// @param held they need not be visible before the commit; otherwise they are moved to their places now
    void settle(WriteJob job, List<Placement> placements, boolean held);

    /// Removes everything that the job has written and neither settled nor committed.
    void discard(WriteJob job);

    /// A file being written, on one thread.
    interface OutputFile extends WritableByteChannel {
        /// The value of [Placement#from] for this file, once it is closed.
        String reference();

        /// Closes it and removes it.
        void delete() throws IOException;

        /// All bytes are written, and durable if the job is resumable.
        @Override
        void close() throws IOException;
    }
}
