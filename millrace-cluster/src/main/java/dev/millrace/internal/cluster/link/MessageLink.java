package dev.millrace.internal.cluster.link;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.wire.WireDecoder;
import dev.millrace.internal.runtime.wire.WireEncoder;
import dev.millrace.internal.runtime.wire.WireMessage;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Messages over a link, in both directions, each as its length and its bytes. Sending never blocks: a thread of its
/// own encodes what waits and writes it at once, so that many small messages share a write. Messages arrive on one
/// thread, and after the last of them it learns why there are no more.
public final class MessageLink implements Heartbeat.Ticking, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MessageLink.class.getName());
    private static final int WRITE_BYTES = 64 << 10;
    private static final int MAX_FRAME = 1 << 30;
    /// Wakes the writer.
    private static final WireMessage NOTHING = new WireMessage.ReleaseBlocks(List.of());

    private final Link link;
    private final String name;
    private final Supplier<WireMessage> pulse;
    private final LinkedBlockingQueue<WireMessage> outgoing = new LinkedBlockingQueue<>();
    private final WireEncoder encoder = new WireEncoder();
    private final AtomicReference<@Nullable String> ended = new AtomicReference<>();
    /// Blocks to release with the next write. Guarded by itself.
    private final List<Long> releases = new ArrayList<>();

    private volatile long heard = System.nanoTime();
    private volatile long pulsed = System.nanoTime();
    private @Nullable Thread reader;

    /// @param name of its threads
    /// @param pulse makes the message that says this side lives
    public MessageLink(Link link, String name, Supplier<WireMessage> pulse) {
        this.link = link;
        this.name = name;
        this.pulse = pulse;
    }

    /// Begins to send and to receive.
    ///
    /// @param end called once, after the last message, with a part of a sentence: "was silent for 5 s"
    public void start(Consumer<WireMessage> messages, Consumer<String> end) {
        Heartbeat.add(this);
        Thread.ofPlatform().name(name + "-out").daemon().start(this::write);
        reader = Thread.ofPlatform().name(name + "-in").daemon().start(() -> read(messages, end));
    }

    /// A message that the other side misses because the link has ended is covered by that.
    public void send(WireMessage message) {
        outgoing.add(message);
    }

    /// Releases a block of the other side, soon.
    public void release(long block) {
        boolean first;
        synchronized (releases) {
            first = releases.isEmpty();
            releases.add(block);
        }
        if (first) {
            outgoing.add(NOTHING);
        }
    }

    private void write() {
        ByteArrayOutputStream frames = new ByteArrayOutputStream(WRITE_BYTES);
        try {
            while (ended.get() == null) {
                WireMessage next = outgoing.take();
                frames.reset();
                while (next != null && frames.size() < WRITE_BYTES) {
                    if (!isNothing(next)) {
                        frame(next, frames);
                    }
                    next = outgoing.poll();
                }
                frameReleases(frames);
                if (next != null && !isNothing(next)) {
                    frame(next, frames);
                }
                link.writeFully(ByteBuffer.wrap(frames.toByteArray()));
            }
        } catch (IOException e) {
            end("its connection broke (" + e.getMessage() + ")");
        } catch (InterruptedException e) {
            // The link has ended.
        }
    }

    /// Not by the records' equality, which Java would make at its first use.
    private static boolean isNothing(WireMessage message) {
        return message instanceof WireMessage.ReleaseBlocks(List<Long> numbers) && numbers.isEmpty();
    }

    private void frameReleases(ByteArrayOutputStream frames) {
        List<Long> freed;
        synchronized (releases) {
            if (releases.isEmpty()) {
                return;
            }
            freed = List.copyOf(releases);
            releases.clear();
        }
        frame(new WireMessage.ReleaseBlocks(freed), frames);
    }

    private void frame(WireMessage message, ByteArrayOutputStream frames) {
        byte[] bytes;
        try {
            bytes = encoder.encode(message);
        } catch (MillraceException e) {
            LOG.log(System.Logger.Level.ERROR, name + " could not send a message", e);
            end("a message could not be sent (" + e.getMessage() + ")");
            return;
        }
        frames.writeBytes(ByteBuffer.allocate(4).putInt(bytes.length).array());
        frames.writeBytes(bytes);
    }

    private void read(Consumer<WireMessage> messages, Consumer<String> end) {
        WireDecoder decoder = new WireDecoder();
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Channels.newInputStream(link.in()), WRITE_BYTES))) {
            while (ended.get() == null) {
                int length = in.readInt();
                if (length < 0 || length > MAX_FRAME) {
                    end("it sent a frame of " + length + " bytes");
                    break;
                }
                byte[] bytes = in.readNBytes(length);
                if (bytes.length < length) {
                    throw new EOFException();
                }
                heard = System.nanoTime();
                WireMessage message = decoder.decode(bytes);
                if (message instanceof WireMessage.Bye) {
                    // The other side waits for the end of the link until this side is done.
                    end.accept("it said goodbye");
                    end("it said goodbye");
                    return;
                }
                handle(message, messages);
            }
        } catch (EOFException e) {
            end("its connection was closed");
        } catch (IOException e) {
            end("its connection broke (" + e.getMessage() + ")");
        } catch (MillraceException e) {
            LOG.log(System.Logger.Level.ERROR, name + " got a message that cannot be read", e);
            end(e.getMessage());
        }
        Heartbeat.remove(this);
        end.accept(String.valueOf(ended.get()));
    }

    private void handle(WireMessage message, Consumer<WireMessage> messages) {
        try {
            messages.accept(message);
        } catch (RuntimeException | Error e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    name + " broke at a " + message.getClass().getSimpleName(),
                    e);
        }
    }

    @Override
    public void tick(long now, boolean late) {
        if (late) {
            heard = now;
        } else if (now - heard > Heartbeat.SILENCE_NANOS) {
            end("it was silent for 5 s");
        }
        if (now - pulsed >= Heartbeat.PULSE_NANOS) {
            pulsed = now;
            send(pulse.get());
        }
    }

    /// Ends the link with a reason; only the first counts.
    public void end(String why) {
        if (ended.compareAndSet(null, why)) {
            Heartbeat.remove(this);
            link.close();
            outgoing.add(NOTHING);
        }
    }

    /// Ends the link after what was sent, and waits for the end of what arrives.
    @Override
    public void close() {
        send(new WireMessage.Bye());
        Thread reading = reader;
        if (reading != null && !reading.equals(Thread.currentThread())) {
            try {
                reading.join(5_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        end("it was closed");
    }
}
