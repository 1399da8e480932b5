/// What the engine runs: one record per operator, with everything decided (fused steps, pool, resources). No behaviour.
@NullMarked
package dev.millrace.internal.plan.physical;

import org.jspecify.annotations.NullMarked;
