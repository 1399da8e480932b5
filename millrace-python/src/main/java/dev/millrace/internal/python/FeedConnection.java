package dev.millrace.internal.python;

import dev.millrace.Shard;
import dev.millrace.batch.Batch;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.transform.RowJson;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.memory.Allocator;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One rank: a Python program that reads batches, in the frames of a worker. It says [WorkerFrame.Kind#READY] with what
/// it wants, gets a call for each batch, and is done with each when it says so; `NEXT` ends the epoch, and a `START`
/// with a text says that one begins, or why it cannot.
///
/// One thread receives, another sends batches. `this` guards what both use.
final class FeedConnection implements WorkerLink {
    private final SocketChannel peer;
    private final Map<String, FeedEpochs> epochs;
    private final Consumer<FeedConnection> onEnd;
    private final SharedMemory memory = new SharedMemory(this);
    private final Allocator account = Allocator.root("batches sent to Python", Long.MAX_VALUE);
    private final Map<Integer, SharedBatch> sent = new HashMap<>();
    private final Thread receiver;
    private final Thread sender;
    private long pid;
    private int calls;
    /// The latest request, and the number that Python gave it; the sender serves the latest.
    private @Nullable FeedRequest wanted;

    private int latest;
    private @Nullable CloseableIterator<Batch> reading;
    private boolean closed;

    FeedConnection(SocketChannel peer, Map<String, FeedEpochs> epochs, Consumer<FeedConnection> onEnd) {
        this.peer = peer;
        this.epochs = epochs;
        this.onEnd = onEnd;
        this.receiver =
                Thread.ofPlatform().daemon().name("millrace-feed-receive").unstarted(this::receive);
        this.sender = Thread.ofPlatform().daemon().name("millrace-feed-send").unstarted(this::serve);
        receiver.start();
        sender.start();
    }

    @Override
    public synchronized long pid() {
        return pid;
    }

    @Override
    public void send(WorkerFrame.Order order, int call, long a, long b) {
        write(WorkerFrame.order(order, call, a, b));
    }

    private void say(int request, String name, Object value) {
        byte[] text = RowJson.of(Map.of(name, value)).getBytes(StandardCharsets.UTF_8);
        byte[] head = WorkerFrame.order(WorkerFrame.Order.START, request, text.length, 0);
        write(ByteBuffer.allocate(head.length + text.length).put(head).put(text).array());
    }

    private void write(byte[] bytes) {
        synchronized (peer) {
            try {
                ByteBuffer data = ByteBuffer.wrap(bytes);
                while (data.hasRemaining()) {
                    peer.write(data);
                }
            } catch (IOException _) {
                // Its end is told to the receiver.
            }
        }
    }

    // The receiver's thread

    private void receive() {
        try (InputStream in = new BufferedInputStream(Channels.newInputStream(peer), 1 << 12)) {
            while (true) {
                take(WorkerFrame.read(in));
            }
        } catch (IOException _) {
            // It has ended.
        } catch (RuntimeException e) {
            System.getLogger(FeedConnection.class.getName())
                    .log(System.Logger.Level.WARNING, "A Python program sent what cannot be read: " + e);
        }
        end();
    }

    private void take(WorkerFrame frame) throws IOException {
        switch (frame.kind()) {
            case READY -> want(frame);
            case SEGMENT -> memory.announced(frame);
            case DONE -> {
                SharedBatch batch;
                synchronized (this) {
                    batch = sent.remove(frame.call());
                    notifyAll();
                }
                if (batch != null) {
                    memory.release(batch, frame.a() == 1);
                }
            }
            case RESULT, ERROR, DROPPED ->
                throw MillraceException.internal("a Python program that reads batches sent " + frame.kind());
        }
    }

    private void want(WorkerFrame frame) {
        FeedRequest request = null;
        try {
            // Without a text: nothing more of what it asked for before.
            request = frame.text().length == 0 ? null : FeedRequest.of(frame.text());
        } catch (MillraceException e) {
            say(frame.call(), "error", Objects.toString(e.getMessage()));
        }
        CloseableIterator<Batch> left;
        synchronized (this) {
            pid = frame.a();
            wanted = request;
            latest = frame.call();
            left = reading;
            reading = null;
            notifyAll();
        }
        if (left != null) {
            left.close();
        }
    }

    private void end() {
        CloseableIterator<Batch> left;
        synchronized (this) {
            closed = true;
            left = reading;
            reading = null;
            notifyAll();
        }
        if (left != null) {
            left.close();
        }
        memory.close();
        join(sender);
        synchronized (this) {
            sent.values().forEach(batch -> memory.release(batch, false));
            sent.clear();
        }
        account.close();
        onEnd.accept(this);
    }

    // The sender's thread

    private void serve() {
        try {
            while (true) {
                FeedRequest request;
                int number;
                synchronized (this) {
                    while (wanted == null && !closed) {
                        wait();
                    }
                    if (closed) {
                        return;
                    }
                    request = Objects.requireNonNull(wanted);
                    wanted = null;
                    number = latest;
                }
                serve(request, number);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(FeedRequest request, int number) throws InterruptedException {
        FeedEpochs of = epochs.get(request.dataset());
        try {
            if (of == null) {
                throw MillraceException.user("The feed has no dataset '" + request.dataset() + "'. It has "
                        + String.join(
                                ", ",
                                epochs.keySet().stream()
                                        .map(name -> "'" + name + "'")
                                        .sorted()
                                        .toList())
                        + ".");
            }
            Shard shard = of.join(request);
            try {
                read(shard, request, number);
            } finally {
                of.leave(request, shard);
            }
        } catch (RuntimeException | Error e) {
            if (isWanted(number)) {
                say(number, "error", Objects.toString(e.getMessage(), e.toString()));
            }
        }
    }

    private synchronized boolean begins(CloseableIterator<Batch> batches, int number) {
        if (closed || latest != number) {
            return false;
        }
        reading = batches;
        return true;
    }

    private synchronized boolean isWanted(int number) {
        return !closed && latest == number;
    }

    private void read(Shard shard, FeedRequest request, int number) throws InterruptedException {
        try (CloseableIterator<Batch> batches = shard.iterBatches(request.options())) {
            if (!begins(batches, number)) {
                return;
            }
            say(number, "epoch", request.epoch());
            long left = request.skip();
            while (batches.hasNext()) {
                Batch batch = batches.next();
                if (left > 0) {
                    left--;
                } else if (!hand(batch, request.ahead(), number)) {
                    return;
                }
            }
        }
        send(WorkerFrame.Order.NEXT, number, 1, 0);
    }

    /// False if this rank does not want it any more.
    private boolean hand(Batch batch, int ahead, int number) throws InterruptedException {
        synchronized (this) {
            while (sent.size() >= ahead && !closed && latest == number) {
                wait();
            }
            if (closed || latest != number) {
                return false;
            }
        }
        List<Column> columns = new ArrayList<>();
        batch.columns().forEach(name -> columns.add(batch.column(name)));
        SharedBatch shared;
        try (Block block = Block.sharing(batch.schema(), columns, batch.rows())) {
            shared = memory.put(batch.schema(), List.of(block), account);
        }
        if (shared == null) {
            return false;
        }
        int call;
        synchronized (this) {
            call = ++calls;
            sent.put(call, shared);
        }
        send(WorkerFrame.Order.CALL, call, shared.segment().number(), shared.length());
        return true;
    }

    /// Ends the connection, and waits until nothing of it is left.
    void close() {
        try {
            peer.close();
        } catch (IOException _) {
            // The receiver sees its end.
        }
        join(receiver);
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
