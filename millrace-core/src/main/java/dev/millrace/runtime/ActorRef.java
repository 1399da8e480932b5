package dev.millrace.runtime;

/// An actor that a runtime keeps: opaque except for its id.
public interface ActorRef {
    /// The number of the [ActorSpec] it was started with.
    long id();
}
