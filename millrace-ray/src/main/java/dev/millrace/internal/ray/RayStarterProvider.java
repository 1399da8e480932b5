package dev.millrace.internal.ray;

import dev.millrace.internal.cluster.start.StarterProvider;
import dev.millrace.internal.cluster.start.WorkerStarter;
import dev.millrace.internal.cluster.worker.WorkerMain;
import dev.millrace.internal.ray.local.LocalRayCluster;
import dev.millrace.settings.Settings;

/// Workers on the nodes of a Ray cluster: `ray://head:6379`.
public final class RayStarterProvider implements StarterProvider {
    private static final int PATIENCE_SECONDS = 8;

    /// For [java.util.ServiceLoader].
    public RayStarterProvider() {}

    @Override
    public String scheme() {
        return RayAddress.SCHEME;
    }

    @Override
    public WorkerStarter open(String address, Settings settings) {
        RayAddress parsed = RayAddress.parse(address);
        return new RayStarter(
                parsed,
                RayPython.find(parsed, LocalRayCluster.defaultState(), System.getenv()),
                new WorkerLaunch(
                        WorkerMain.class.getName(),
                        settings.cluster().workerMemory(),
                        settings.cluster().tlsFile(),
                        PATIENCE_SECONDS));
    }
}
