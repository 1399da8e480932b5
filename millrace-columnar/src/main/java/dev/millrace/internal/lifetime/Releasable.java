package dev.millrace.internal.lifetime;

/// Something whose holders each give up their own reference: the last one frees it.
public interface Releasable {
    /// Gives up one reference.
    void release();
}
