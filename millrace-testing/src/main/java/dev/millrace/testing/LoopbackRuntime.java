package dev.millrace.testing;

import dev.millrace.compute.Resources;
import dev.millrace.memory.Allocator;
import java.util.List;

/// A runtime with one worker that shares no object and no memory with the driver, though it lives in the same process.
/// What works here works on a cluster, as far as the seam goes.
///
/// Stricter than a cluster at the end: [#close] throws when a block reference was not released, or when a task kept
/// memory of its account, and names the holder.
public final class LoopbackRuntime extends ShippingRuntime {
    private final LoopbackWire toDriver = new LoopbackWire("loopback-driver", this::handle);
    private final LoopbackWorker worker = new LoopbackWorker(toDriver::send);
    private final LoopbackWire toWorker = new LoopbackWire("loopback-worker-inbox", worker::handle);

    /// A runtime with nothing in it.
    ///
    /// @param driver the account in which [#get] makes its blocks
    public LoopbackRuntime(Allocator driver, Resources capacity) {
        super(driver, capacity);
    }

    @Override
    public String name() {
        return "loopback";
    }

    @Override
    public List<Node> nodes() {
        return List.of(new Node(LoopbackWorker.NODE, capacity()));
    }

    @Override
    void toWorker(LoopbackMessage message) {
        toWorker.send(message);
    }

    @Override
    void toDriver(LoopbackMessage message) {
        toDriver.send(message);
    }

    /// What the far side holds; 0 when all is over.
    public long workerHeldBytes() {
        return worker.heldBytes();
    }

    @Override
    List<RuntimeException> closeWorkers() {
        toWorker.close();
        List<RuntimeException> leaks = worker.close();
        toDriver.close();
        return leaks;
    }
}
