/// How files become the contents of a folder: all at once, also where the process dies in between
/// (`designs/commits.md`). [dev.millrace.internal.commit.FolderCommit] notes what it is about to do in a
/// [dev.millrace.internal.commit.CommitJournal], does it under the folder's
/// [dev.millrace.internal.commit.CommitLock], and [dev.millrace.internal.commit.InterruptedCommits] ends what a dead
/// process has begun. Paths of this machine only; nothing here knows of formats, jobs' options or plans.
package dev.millrace.internal.commit;
