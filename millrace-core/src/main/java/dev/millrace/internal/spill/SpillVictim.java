package dev.millrace.internal.spill;

import java.util.Comparator;

/// A block in memory that may be evicted.
///
/// @param written already on disk, so that eviction needs no write
/// @param bytes of memory that it holds
/// @param freed bytes that its eviction frees now; the others are also in use elsewhere
/// @param age how many blocks were accessed since it last was
record SpillVictim(StoredBlock block, boolean written, long bytes, long freed, long age) {
    /// The eviction order: blocks that need no write first; then the largest and least recently accessed, by the
    /// product of both; blocks in use, which free nothing before their users are done, last.
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
