package dev.millrace.internal.transform;

/// A step whose user object lives in an actor: created once there by [#createState] and passed to every task in
/// [StepContext#state].
interface StatefulStep extends TransformStep {
    Object createState() throws Exception;
}
