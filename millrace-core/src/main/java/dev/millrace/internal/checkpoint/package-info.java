/// The state of a checkpointed write: [dev.millrace.internal.checkpoint.CheckpointManifest] identifies the job,
/// [dev.millrace.internal.checkpoint.CommitLog] records which splits are done,
/// [dev.millrace.internal.checkpoint.SplitList] has those that are not, and
/// [dev.millrace.internal.checkpoint.CheckpointPlan] decides which plans qualify. Files and plans; `internal.consume`
/// does the run itself.
@NullMarked
package dev.millrace.internal.checkpoint;

import org.jspecify.annotations.NullMarked;
