/// Execution inside a task: chunks of about 1 MiB flow through a chain of transforms, so that a fused chain works in
/// cache; the block shaper assembles blocks at its end. A [dev.millrace.internal.transform.TransformStep] is the
/// serialisable description, a [dev.millrace.internal.transform.ChunkTransform] its running form on one thread. Nothing
/// here depends on plans, operators or the engine.
@NullMarked
package dev.millrace.internal.transform;

import org.jspecify.annotations.NullMarked;
