/// Atomic commits of files to a folder, also if the process dies in between (`designs/commits.md`).
/// [dev.millrace.internal.commit.FolderCommit] records its changes in a [dev.millrace.internal.commit.CommitJournal],
/// applies them under the folder's [dev.millrace.internal.commit.CommitLock], and
/// [dev.millrace.internal.commit.InterruptedCommits] completes the commit of a dead process. Local paths only; nothing
/// here depends on formats, jobs' options or plans.
@NullMarked
package dev.millrace.internal.commit;

import org.jspecify.annotations.NullMarked;
