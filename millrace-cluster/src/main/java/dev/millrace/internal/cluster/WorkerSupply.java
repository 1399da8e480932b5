package dev.millrace.internal.cluster;

import dev.millrace.compute.Resources;
import dev.millrace.internal.cluster.start.WorkerStarter;
import dev.millrace.runtime.NodeSupply;
import dev.millrace.runtime.Runtime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Asks a starter whose cluster grows for more workers. What waits is looked at each second by a thread of its own, so
/// that it costs the engine nothing: it is asked for when something has waited for [#PATIENCE] looks in a row, first
/// for one task, then for twice as many each [#PATIENCE] looks, up to as many as the session can run: so a cluster
/// doubles at most, and a short burst of work adds one machine or none.
final class WorkerSupply implements NodeSupply, AutoCloseable {
    static final int PATIENCE = 3;
    private static final Duration LOOK = Duration.ofSeconds(1);
    /// From a machine that is there to a worker that has joined.
    private static final Duration JOIN = Duration.ofSeconds(60);
    private static final int MAX_WANTED = 64;

    private final WorkerStarter starter;
    private final Supplier<List<Runtime.Node>> nodes;
    private @Nullable Thread watcher;
    private volatile boolean closed;
    /// Of the watching thread: looks in a row at which something waited, with this many nodes.
    private int looks;

    private int nodesBefore;

    /// @param nodes those that have joined
    WorkerSupply(WorkerStarter starter, Supplier<List<Runtime.Node>> nodes) {
        this.starter = starter;
        this.nodes = nodes;
    }

    @Override
    public Optional<String> obtain(Resources need) {
        Resources counted = new Resources(need.cpus(), need.gpus(), 0, need.custom());
        if (!counted.equals(need) && nodes.get().stream().anyMatch(node -> counted.fitsIn(node.resources()))) {
            return Optional.of("workers that are added have as little memory as those that are there");
        }
        Optional<String> lacking = starter.obtain(need);
        if (lacking.isPresent()) {
            return lacking;
        }
        long deadline = System.nanoTime() + JOIN.toNanos();
        while (nodes.get().stream().noneMatch(node -> need.fitsIn(node.resources()))) {
            if (closed || System.nanoTime() > deadline) {
                return Optional.of("a machine has it, but no worker with that much joined within " + JOIN.toSeconds()
                        + " s: what is reserved for workers may be less");
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.of("the wait for it was interrupted");
            }
        }
        return Optional.empty();
    }

    @Override
    public synchronized void watch(Supplier<List<Resources>> waiting) {
        if (watcher == null && !closed) {
            watcher = Thread.ofPlatform().daemon().name("millrace-demand").start(() -> follow(waiting));
        }
    }

    private void follow(Supplier<List<Resources>> waiting) {
        List<Resources> wanted = List.of();
        while (!closed) {
            List<Resources> now = wanted(waiting.get(), nodes.get());
            if (!now.equals(wanted)) {
                starter.want(now);
                wanted = now;
            }
            try {
                Thread.sleep(LOOK);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    /// What to ask for at this look.
    ///
    /// @param waiting now
    List<Resources> wanted(List<Resources> waiting, List<Runtime.Node> joined) {
        if (waiting.isEmpty() || joined.size() != nodesBefore) {
            // After each change it is seen first what the new nodes do.
            looks = 0;
            nodesBefore = joined.size();
            return List.of();
        }
        int doublings = ++looks / PATIENCE - 1;
        if (doublings < 0) {
            return List.of();
        }
        Resources need = waiting.getFirst();
        int most = Math.clamp(fitting(need, joined), 1, MAX_WANTED);
        return Collections.nCopies(Math.min(most, 1 << Math.min(doublings, 10)), need);
    }

    private static int fitting(Resources need, List<Runtime.Node> joined) {
        int fit = 0;
        for (Runtime.Node node : joined) {
            for (int there = 1; there <= MAX_WANTED && need.times(there).fitsIn(node.resources()); there++) {
                fit++;
            }
        }
        return fit;
    }

    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            running = watcher;
        }
        if (running != null) {
            running.interrupt();
        }
    }
}
