package dev.millrace.internal.spill;

import java.util.Comparator;

/// A block in memory that may leave it.
///
/// @param written already on disk, so that leaving costs nothing
/// @param bytes of memory that it holds
/// @param freed bytes that its leaving frees now; the others are in use elsewhere, too
/// @param age how many blocks were needed since it last was
record SpillVictim(StoredBlock block, boolean written, long bytes, long freed, long age) {
    /// Whoever costs nothing first; then the largest and least recently needed, by the product of both; those in use,
    /// which free nothing before their users are done, last.
    static final Comparator<SpillVictim> FIRST = Comparator.<SpillVictim>comparingInt(v -> v.freed == 0 ? 1 : 0)
            .thenComparing(v -> !v.written)
            .thenComparing(Comparator.comparingDouble(SpillVictim::weight).reversed());

    private double weight() {
        return (double) (freed == 0 ? bytes : freed) * age;
    }

    /// A written block in use, or one without memory of its own, frees nothing.
    boolean isUseful() {
        return freed > 0 || !written && bytes > 0;
    }
}
