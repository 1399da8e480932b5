package dev.millrace.runtime;

import java.io.Serializable;

/// Makes the state of an actor, once, on the actor's own worker. Serialisable on runtimes that ship it.
public interface ActorProgram extends Serializable {
    Object start() throws Exception;

    /// Ends the state made by [#start]; called once, also after failures.
    void stop(Object state) throws Exception;
}
