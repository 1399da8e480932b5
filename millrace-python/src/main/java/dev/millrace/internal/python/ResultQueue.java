package dev.millrace.internal.python;

import dev.millrace.internal.thread.TaskCancellation;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// The results of one streaming call, handed from the receiving thread to the one that takes them. A queue that is
/// closed before the end of its call ends the call, and drops what still comes.
final class ResultQueue implements PendingCall, AutoCloseable {
    private sealed interface Event {}

    private record Rows(PythonResult result) implements Event {}

    private record Ended(@Nullable RuntimeException failure) implements Event {}

    private final PythonWorker worker;
    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final TaskCancellation running = TaskCancellation.ofThread();
    private volatile int call;
    private boolean ended;
    private boolean closed;
    /// The worker waits to be told whether another result is wanted.
    private boolean owesAnswer;

    ResultQueue(PythonWorker worker) {
        this.worker = worker;
    }

    /// The call was sent.
    void begin(int number) {
        call = number;
    }

    /// The next result, which the caller takes; null at the end.
    @Nullable
    PythonResult next() throws InterruptedException {
        if (ended) {
            return null;
        }
        return switch (events.take()) {
            case Rows(PythonResult result) -> {
                owesAnswer = true;
                yield result;
            }
            case Ended(RuntimeException failure) -> {
                ended = true;
                if (failure != null) {
                    throw failure;
                }
                yield null;
            }
        };
    }

    /// After each result.
    void wantMore(boolean wantsMore) {
        owesAnswer = false;
        worker.next(call, wantsMore);
    }

    @Override
    public void result(PythonResult result) {
        synchronized (this) {
            if (!closed) {
                events.add(new Rows(result));
                return;
            }
        }
        result.drop();
        worker.next(call, false);
    }

    @Override
    public void done() {
        events.add(new Ended(null));
    }

    @Override
    public void failed(RuntimeException failure) {
        events.add(new Ended(failure));
    }

    @Override
    public boolean isCancelled() {
        synchronized (this) {
            return closed || PythonCalls.isCancelled(running);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        if (ended || call == 0) {
            return;
        }
        boolean owes = owesAnswer;
        for (Event event = events.poll(); event != null; event = events.poll()) {
            if (event instanceof Rows(PythonResult result)) {
                result.drop();
                owes = true;
            }
        }
        if (owes) {
            worker.next(call, false);
        }
    }
}
