package dev.millrace;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.consume.SessionExecutions;
import dev.millrace.internal.observe.DashboardProvider;
import dev.millrace.internal.observe.ExportedMetrics;
import dev.millrace.internal.observe.SessionObserver;
import dev.millrace.internal.observe.SessionView;
import dev.millrace.internal.recovery.RecoveringRuntime;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.FairCapacity;
import dev.millrace.internal.resource.NodeMemory;
import dev.millrace.internal.runtime.MachineLimits;
import dev.millrace.internal.runtime.RuntimeProvider;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.internal.sessionlog.SessionLog;
import dev.millrace.internal.spill.BlockSpiller;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryRelief;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.settings.Settings;
import dev.millrace.stats.MetricsExporter;
import dev.millrace.stats.RunStats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What a session opens and closes: the account of block memory, the spill files, the runtime, the runs over it and
/// those that observe them.
///
/// @param logFile of its log; null without one
record SessionParts(
        Allocator memory,
        BlockSpiller spiller,
        Runtime runtime,
        SessionExecutions executions,
        @Nullable Path logFile) implements AutoCloseable {

    /// Opens all of them; if one cannot be opened, closes those before it.
    ///
    /// @param runtimes makes the runtime, over the session's account; null for one in this process, or on a cluster
    /// @param cluster its address, or null
    /// @param around wraps the runtime
    /// @param exporters of its metrics
    static SessionParts open(
            Settings settings,
            @Nullable Function<? super Allocator, ? extends Runtime> runtimes,
            @Nullable String cluster,
            UnaryOperator<Runtime> around,
            List<MetricsExporter> exporters) {
        MachineLimits machine = MachineLimits.local();
        ResourceLimits limits = settings.limits();
        long blockBytes = blockBytes(machine, limits);
        Allocator memory = Allocator.root("session", blockBytes);
        BlockSpiller spiller = new BlockSpiller(settings.spill(), memory);
        memory.relief(
                runtimes == null
                        ? spiller
                        : MemoryRelief.none("Nothing can be spilled: the session's runtime has its own store."));
        Runtime chosen = around.apply(
                cluster != null
                        ? connected(cluster, settings, memory, spiller)
                        : runtimes == null
                                ? new EmbeddedRuntime(
                                        embeddedCapacity(machine, limits),
                                        blockBytes,
                                        spiller,
                                        settings.faults().cancelTimeout())
                                : runtimes.apply(memory));
        Runtime runtime = RecoveringRuntime.around(chosen, memory, settings.faults());
        CapacityShare capacity = FairCapacity.of(runtime, limits::within);
        SessionParts parts =
                new SessionParts(memory, spiller, runtime, new SessionExecutions(runtime, capacity, memory), null);
        return settings.isObserved() || !exporters.isEmpty() ? parts.observed(settings, capacity, exporters) : parts;
    }

    private static Runtime connected(String address, Settings settings, Allocator memory, BlockSpiller spiller) {
        try {
            return RuntimeProvider.at(address, settings, memory, spiller);
        } catch (RuntimeException e) {
            spiller.close();
            memory.close();
            throw e;
        }
    }

    /// The machine's resources, before limits; threads are not hardware, so there may be more slots than CPUs.
    private static Resources embeddedCapacity(MachineLimits machine, ResourceLimits limits) {
        Resources there = machine.resources();
        return new Resources(
                limits.slots() == null ? there.cpus() : limits.slots(), there.gpus(), there.memory(), limits.custom());
    }

    private static long blockBytes(MachineLimits machine, ResourceLimits limits) {
        if (limits.memory() == null) {
            return machine.storeBytes();
        }
        if (limits.memory() > machine.memory()) {
            throw MillraceException.user("The session's limit for blocks is " + limits.memory()
                    + " bytes, more than the " + machine.memory()
                    + " bytes that this machine or its container has. Ask for less with withMemory(...), or leave it out: "
                    + machine.storeBytes() + " bytes are taken then.");
        }
        return limits.memory();
    }

    private SessionParts observed(Settings settings, CapacityShare capacity, List<MetricsExporter> exporters) {
        SessionView view = new ObservedSession(runtime, capacity, memory, spiller);
        List<SessionObserver> watchers = new ArrayList<>();
        Path file = null;
        try {
            if (settings.log().on()) {
                SessionLog log = SessionLog.open(settings.log(), settings, view);
                watchers.add(log);
                file = log.file().orElse(null);
            }
            if (settings.dashboard().on()) {
                watchers.add(DashboardProvider.openFor(settings.dashboard(), view));
            }
            for (MetricsExporter exporter : exporters) {
                watchers.add(ExportedMetrics.by(exporter, view));
            }
            executions.observedBy(watchers);
        } catch (RuntimeException e) {
            try (this) {
                watchers.forEach(SessionObserver::close);
                throw e;
            }
        }
        return new SessionParts(memory, spiller, runtime, executions, file);
    }

    /// The total resources, and what of them is free now.
    SessionResources resources() {
        Resources total = executions.capacity().total();
        NodeMemory workers = executions.capacity().memory();
        long blocks = workers.isKnown() ? workers.bytes() : memory.limit();
        long held = workers.isKnown()
                ? executions.running().stream().mapToLong(RunStats::memoryBytes).sum()
                : memory.heldBytes();
        return new SessionResources(
                total, total.minus(executions.capacity().used()), blocks, Math.max(0, blocks - held));
    }

    @Override
    public void close() {
        try (memory;
                spiller;
                runtime;
                executions) {
            // Closed in reverse order: runs, then their threads and store, the spill files, the account.
        }
    }
}
