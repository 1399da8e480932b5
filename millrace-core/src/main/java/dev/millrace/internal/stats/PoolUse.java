package dev.millrace.internal.stats;

/// How the actors of one operator spent their time.
///
/// @param min,max the bounds of the pool's size
/// @param asked the requested minimum size, if there was no room for it; else 0
/// @param most the largest number of actors that lived at once
/// @param cpus,otherResources of one actor: CPUs, and whether it takes anything else
/// @param idleCpus CPUs of the session that were unused while there were actors, on average; 0 if that is not known
/// @param busyNanos of all actors together
/// @param readyNanos lifetimes of all actors together, from when they could work
public record PoolUse(
        int min,
        int max,
        int asked,
        int most,
        double cpus,
        boolean otherResources,
        double idleCpus,
        long busyNanos,
        long readyNanos) {}
