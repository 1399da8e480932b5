package dev.millrace.testing;

import dev.millrace.internal.runtime.wire.WireDecoder;
import dev.millrace.internal.runtime.wire.WireEncoder;
import dev.millrace.internal.runtime.wire.WireMessage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/// One direction of a connection: messages are serialised on the sender's thread, queued in order, and deserialised on
/// the receiver's single thread.
final class LoopbackWire {
    private static final System.Logger LOG = System.getLogger(LoopbackWire.class.getName());

    private final LinkedBlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();
    private final WireEncoder encoder = new WireEncoder();
    private final WireDecoder decoder = new WireDecoder();
    private final Thread receiver;

    LoopbackWire(String name, Consumer<WireMessage> handler) {
        receiver = Thread.ofPlatform().name(name).daemon().start(() -> receive(handler));
    }

    synchronized void send(WireMessage message) {
        frames.add(encoder.encode(message));
    }

    private void receive(Consumer<WireMessage> handler) {
        try {
            while (true) {
                WireMessage message = decoder.decode(frames.take());
                if (message instanceof WireMessage.Bye) {
                    return;
                }
                try {
                    handler.accept(message);
                } catch (RuntimeException | Error e) {
                    LOG.log(System.Logger.Level.ERROR, Thread.currentThread().getName() + " broke at " + message, e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits until everything that was sent has been handled.
    void close() {
        send(new WireMessage.Bye());
        try {
            receiver.join(30_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (receiver.isAlive()) {
            throw new IllegalStateException(receiver.getName() + " still handles messages 10 s after the end");
        }
    }
}
