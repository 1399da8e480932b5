package dev.millrace.sink;

import dev.millrace.memory.Allocator;
import dev.millrace.sink.ResumableSink.Placement;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.List;

/// A folder that jobs write files to, wherever it lies. Nothing of a job is visible before [#commit] or [#settle]; of
/// what they make visible, every file is complete.
public interface Target {
    /// Refuses a target that is something else, or cannot be written to.
    void requireFolder();

    /// True if there is anything but names that begin with `_` or `.`.
    boolean hasContents();

    /// Prepares for the files of a job, and may remove what dead jobs have left.
    void prepare(WriteJob job);

    /// Begins a file of an attempt. After the end of the job this fails, so that a lost worker cannot add to it.
    ///
    /// @param name differs from that of every other file of the job
    /// @param allocator the account for bytes on their way
    OutputFile create(WriteJob job, String name, Allocator allocator) throws IOException;

    /// Refuses names that are no files of this folder, or are taken. One with the job's id in it is taken by nobody.
    void requireName(WriteJob job, String name, boolean mayReplace);

    /// Brings all files to their places that are not there yet, and then says by `_SUCCESS` that the folder is whole.
    /// If one fails, all is as it was before. What a crash in the middle leaves is the storage's own promise: on this
    /// machine's disks all or nothing, see `designs/commits.md`.
    ///
    /// @param overwrite all other files go that a read of this folder would find
    void commit(WriteJob job, List<Placement> placements, boolean overwrite);

    /// Has those files of a resumable job outlive a crash of the machine that do not yet.
    ///
    /// @param held they need not be seen before the commit; else they are brought to their places now
    void settle(WriteJob job, List<Placement> placements, boolean held);

    /// Removes all that the job has written and neither settled nor committed.
    void discard(WriteJob job);

    /// A file being written, on one thread.
    interface OutputFile extends WritableByteChannel {
        /// What [Placement#from] says of this file, once it is closed.
        String reference();

        /// Closes it and removes it.
        void delete() throws IOException;

        /// All bytes are written, and outlive a crash where the job is resumable.
        @Override
        void close() throws IOException;
    }
}
