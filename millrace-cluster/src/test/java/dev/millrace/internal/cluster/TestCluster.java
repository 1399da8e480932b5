package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.start.LocalStarter;
import dev.millrace.internal.cluster.start.WorkerAddress;
import dev.millrace.internal.cluster.start.WorkerStarter;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Three worker processes that all tests of this process share: each test is a driver of its own.
public final class TestCluster {
    private static final String TOKEN = "the token of the tests";
    private static final int WORKERS = 3;
    private static final List<WorkerAddress> ADDRESSES = new ArrayList<>();

    private TestCluster() {}

    /// A runtime over the shared workers.
    public static Runtime open(Allocator account) {
        return new ClusterRuntime(
                "test cluster",
                new ClusterOptions(new SharedWorkers(), TOKEN, null, true, Duration.ofSeconds(60), null),
                account,
                null);
    }

    private static synchronized List<WorkerAddress> addresses() {
        if (ADDRESSES.isEmpty()) {
            Settings settings = Settings.DEFAULT.with(
                    ResourceLimits.DEFAULT.withMemory(3L << 30).withSlots(2 * WORKERS));
            WorkerStarter starter = new LocalStarter.Provider().open("local:" + WORKERS, settings);
            BlockingQueue<WorkerAddress> joined = new LinkedBlockingQueue<>();
            starter.start(TOKEN, new WorkerStarter.Listener() {
                @Override
                public void joined(WorkerAddress worker) {
                    joined.add(worker);
                }

                @Override
                public void left(WorkerAddress worker, String why) {
                    System.err.println(worker + ": " + why);
                }

                @Override
                public void failed(String why) {
                    System.err.println(why);
                }
            });
            try {
                while (ADDRESSES.size() < WORKERS) {
                    WorkerAddress next = joined.poll(60, TimeUnit.SECONDS);
                    if (next == null) {
                        throw new IllegalStateException("no worker within 60 s");
                    }
                    ADDRESSES.add(next);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return List.copyOf(ADDRESSES);
    }

    private static final class SharedWorkers implements WorkerStarter {
        @Override
        public void start(String token, Listener listener) {
            addresses().forEach(listener::joined);
        }

        @Override
        public int expected() {
            return WORKERS;
        }

        @Override
        public void close() {}
    }
}
