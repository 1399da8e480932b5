package dev.millrace.internal.resource;

import dev.millrace.compute.Resources;
import org.jspecify.annotations.Nullable;

/// One node of a session's runtime, and what is free there. Tasks and actors that have taken something there keep it to
/// give that back, also after the node was lost: then that changes nothing any more. Its amounts are guarded by the
/// lock of the [FairCapacity] that it belongs to.
public final class NodeRoom {
    private final @Nullable String name;
    private final Resources total;
    private final long blockMemory;
    private Resources free;
    /// Tasks that take nothing and are there.
    private int guests;

    private volatile boolean lost;

    /// @param name as the runtime calls it; null if the runtime is to choose
    NodeRoom(@Nullable String name, Resources total, long blockMemory) {
        this.name = name;
        this.total = total;
        this.free = total;
        this.blockMemory = blockMemory;
    }

    public @Nullable String name() {
        return name;
    }

    /// All that the node has, in use or not.
    public Resources total() {
        return total;
    }

    /// See [dev.millrace.runtime.Runtime.Node#blockMemory].
    public long blockMemory() {
        return blockMemory;
    }

    /// Whether the node is gone, with all that ran there.
    public boolean isLost() {
        return lost;
    }

    Resources used() {
        return total.minus(free);
    }

    boolean has(Resources amount) {
        return amount.fitsIn(free);
    }

    /// Whether it could have the amount once tasks there have given back their CPUs.
    boolean mayHave(Resources amount) {
        return amount.fitsIn(total) && amount.withoutCpus().fitsIn(free);
    }

    void take(Resources amount) {
        free = free.minus(amount);
    }

    void giveBack(Resources amount) {
        free = free.plus(amount);
    }

    void guests(int more) {
        guests += more;
    }

    void lose() {
        lost = true;
    }

    /// Whether a task is better placed here than there, if nothing else decides: by free CPUs, of which tasks that take
    /// none use a share all the same.
    boolean isFreerThan(NodeRoom other) {
        int cpus = Double.compare(likelyCpus(), other.likelyCpus());
        return cpus > 0 || cpus == 0 && free.gpus() > other.free.gpus();
    }

    private double likelyCpus() {
        return guests == 0 ? free.cpus() : free.cpus() / (1 + guests / Math.max(1, total.cpus()));
    }

    @Override
    public String toString() {
        return (name == null ? "the node" : name) + (lost ? " (lost)" : " with " + free + " free of " + total);
    }
}
