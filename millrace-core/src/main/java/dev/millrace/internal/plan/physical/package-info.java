/// What the engine runs: one record per operator, with everything decided (fused steps, pool, resources). No behaviour.
package dev.millrace.internal.plan.physical;
