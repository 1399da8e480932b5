package dev.millrace.internal.stats;

/// How the actors of one operator spent their time.
///
/// @param min,max the bounds of the pool's size
/// @param asked the smallest size that was asked for, where there was no room for it; else 0
/// @param most actors that lived at once
/// @param cpus,otherResources what one actor takes: CPUs, and whether it takes anything else
/// @param idleCpus CPUs of the session that nobody used while there were actors, on average; 0 if that is not known
/// @param busyNanos of all actors together
/// @param readyNanos lives of all actors together, from when they could work
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
