package dev.millrace.internal.cluster;

import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.testing.RuntimeContract;

/// The guarantees of every runtime, on three worker processes.
class ClusterRuntimeTest extends RuntimeContract {
    @Override
    protected Runtime open(Allocator account) {
        return TestCluster.open(account);
    }
}
