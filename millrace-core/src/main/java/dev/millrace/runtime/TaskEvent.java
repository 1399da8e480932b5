package dev.millrace.runtime;

/// What a runtime tells the engine. Events of one task come in order: any number of [BlockReady] and [Paused], then
/// one of [Finished] and [Failed]. Events of different tasks come in any order, on any thread.
public sealed interface TaskEvent {
    /// A block of the task is in the store; the receiver holds the reference.
    record BlockReady(long task, BlockRef block) implements TaskEvent {}

    /// The task has a further block and no credit left; it waits for a grant and computes nothing meanwhile. Once per
    /// wait. A grant may have crossed it on the way: the receiver counts what it granted and got.
    record Paused(long task) implements TaskEvent {}

    /// The task made all its output.
    record Finished(long task, TaskReport report) implements TaskEvent {}

    /// The program threw (`cause` as it was thrown, or rebuilt on this side), or its worker was lost.
    record Failed(long task, Throwable cause, boolean workerLost, TaskReport report) implements TaskEvent {}

    /// The actor takes calls.
    record ActorReady(long actor) implements TaskEvent {}

    /// The actor did not start, or was lost; tasks in it fail too.
    record ActorFailed(long actor, Throwable cause, boolean workerLost) implements TaskEvent {}
}
