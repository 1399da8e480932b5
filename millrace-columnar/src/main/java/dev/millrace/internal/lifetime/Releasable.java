package dev.millrace.internal.lifetime;

/// A reference-counted resource: releasing the last reference frees it.
public interface Releasable {
    /// Releases one reference.
    void release();
}
