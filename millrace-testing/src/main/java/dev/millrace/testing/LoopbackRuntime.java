package dev.millrace.testing;

import dev.millrace.compute.Resources;
import dev.millrace.internal.runtime.wire.WireMessage;
import dev.millrace.memory.Allocator;
import java.util.List;

/// A runtime with one worker that shares no object and no memory with the driver, although it runs in the same process.
/// A program that works here works on a cluster, as far as the runtime interface is concerned.
///
/// It is stricter than a cluster at the end: [#close] throws if a block reference was not released, or if a task kept
/// memory of its account, and names the holder.
public final class LoopbackRuntime extends ShippingRuntime {
    private final LoopbackWire toDriver = new LoopbackWire("loopback-driver", this::handle);
    private final LoopbackWorker worker = new LoopbackWorker(toDriver::send);
    private final LoopbackWire toWorker = new LoopbackWire("loopback-worker-inbox", worker::handle);

    /// An empty runtime.
    ///
    /// @param driver the account from which [#get] allocates blocks
    public LoopbackRuntime(Allocator driver, Resources capacity) {
        super(driver, capacity);
    }

    @Override
    public String name() {
        return "loopback";
    }

    @Override
    public List<Node> nodes() {
        return List.of(new Node(LoopbackWorker.NODE, capacity(), LoopbackWorker.MEMORY));
    }

    @Override
    void toWorker(WireMessage message) {
        toWorker.send(message);
    }

    @Override
    void toWorkers(WireMessage message) {
        toWorker.send(message);
    }

    @Override
    void toDriver(WireMessage message) {
        toDriver.send(message);
    }

    /// The number of bytes held by the worker; 0 at the end.
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
