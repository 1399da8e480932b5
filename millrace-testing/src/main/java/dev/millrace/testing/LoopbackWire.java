package dev.millrace.testing;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/// One direction of a connection: messages are serialised on the sender's thread, queued in order, and deserialised on
/// the receiver's single thread.
final class LoopbackWire {
    private static final System.Logger LOG = System.getLogger(LoopbackWire.class.getName());

    private final LinkedBlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();
    private final Thread receiver;

    LoopbackWire(String name, Consumer<LoopbackMessage> handler) {
        receiver = Thread.ofPlatform().name(name).daemon().start(() -> receive(handler));
    }

    void send(LoopbackMessage message) {
        frames.add(ObjectBytes.encode(message.getClass().getSimpleName(), message));
    }

    private void receive(Consumer<LoopbackMessage> handler) {
        try {
            while (true) {
                LoopbackMessage message = ObjectBytes.decode(frames.take(), LoopbackMessage.class);
                if (message instanceof LoopbackMessage.Bye) {
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
        send(new LoopbackMessage.Bye());
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
