/// What a checkpointed write remembers: [dev.millrace.internal.checkpoint.CheckpointManifest] says which job it is,
/// [dev.millrace.internal.checkpoint.CommitLog] which splits are done, [dev.millrace.internal.checkpoint.SplitList]
/// gives those that are not, and [dev.millrace.internal.checkpoint.CheckpointPlan] which plans qualify. Files and
/// plans; the run itself is `internal.consume`'s.
package dev.millrace.internal.checkpoint;
