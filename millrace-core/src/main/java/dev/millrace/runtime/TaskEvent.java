package dev.millrace.runtime;

/// An event from a runtime to the engine. Events of one task arrive in order: any number of [BlockReady] and [Paused],
/// then one of [Finished] and [Failed]. Events of different tasks arrive in any order, on any thread.
public sealed interface TaskEvent {
    /// A block of the task is in the store; the receiver owns the reference.
    record BlockReady(long task, BlockRef block) implements TaskEvent {}

    /// The task has another block and no credit left; it waits for a grant and computes nothing meanwhile. Sent once
    /// per wait. A grant may have been in flight at the same time: the receiver compares what it granted with what it
    /// received.
    record Paused(long task) implements TaskEvent {}

    /// The task produced all its output.
    record Finished(long task, TaskReport report) implements TaskEvent {}

    /// The program threw (`cause` as it was thrown, or recreated on this side), or its worker was lost; with a
    /// [WorkerGone] as the cause if the program is known not to have begun there. With [BlocksLost] as the cause, the
    /// worker lives and an input is gone.
    record Failed(long task, Throwable cause, boolean workerLost, TaskReport report) implements TaskEvent {}

    /// The actor accepts calls.
    record ActorReady(long actor) implements TaskEvent {}

    /// The actor did not start, or was lost; tasks in it fail too.
    record ActorFailed(long actor, Throwable cause, boolean workerLost) implements TaskEvent {}
}
