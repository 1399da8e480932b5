package dev.millrace.runtime;

import dev.millrace.compute.ActorContext;
import java.io.Serializable;

/// Creates the state of an actor, once, on the actor's own worker. Serialisable on runtimes that ship it.
public interface ActorProgram extends Serializable {
    /// Creates the state that the actor's tasks share, once, where the actor runs.
    ///
    /// @param context the resources that the actor has where it runs
    Object start(ActorContext context) throws Exception;

    /// Ends the state made by [#start]; called once, also after failures.
    void stop(Object state) throws Exception;
}
