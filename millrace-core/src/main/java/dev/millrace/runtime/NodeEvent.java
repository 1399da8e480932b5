package dev.millrace.runtime;

/// A change of a runtime's nodes. A node that comes back after a loss is another node, with another name.
public sealed interface NodeEvent {
    /// The node takes tasks and actors.
    record Joined(Runtime.Node node) implements NodeEvent {}

    /// The node is gone, with all that ran there.
    record Lost(String node) implements NodeEvent {}
}
