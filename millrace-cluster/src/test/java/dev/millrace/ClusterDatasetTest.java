package dev.millrace;

import dev.millrace.compute.Resources;
import dev.millrace.internal.cluster.TestCluster;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;

/// The suite of datasets on three worker processes. Of its tests, those that count in static fields what functions do
/// mean nothing here.
class ClusterDatasetTest extends DatasetSuite {
    @Override
    Runtime newRuntime(Allocator account) {
        return TestCluster.open(account);
    }

    /// Counts in a static field.
    @Override
    public void aFactoryMakesItsObjectOncePerActor() {}

    /// Counts in a static field.
    @Override
    public void aModelIsMadeOncePerActorAndCalledWithEachGroup() {}

    /// Three workers of two.
    @Override
    public Resources capacity() {
        return Resources.cpus(6);
    }
}
