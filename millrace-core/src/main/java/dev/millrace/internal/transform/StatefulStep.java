package dev.millrace.internal.transform;

/// A step whose user object lives in an actor: made once there by [#createState] and handed to every task in
/// [StepContext#state].
public interface StatefulStep extends TransformStep {
    Object createState() throws Exception;
}
