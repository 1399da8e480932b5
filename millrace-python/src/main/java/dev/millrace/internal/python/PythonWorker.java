package dev.millrace.internal.python;

import dev.millrace.batch.Batch;
import dev.millrace.compute.ActorContext;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.function.ExternalFunction;
import dev.millrace.runtime.ProcessLost;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// A Python worker from start to end: calls are sent by any thread and computed one after the other; a thread of its
/// own receives the answers.
///
/// The pending calls, and what is known of the worker's end, are guarded by the monitor.
final class PythonWorker implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;

    private final WorkerProcess process;
    private final SharedMemory memory;
    private final @Nullable Schema output;
    private final @Nullable Duration timeout;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final Map<Integer, Sent> pending = new LinkedHashMap<>();
    private final Thread receiver;
    private int calls;
    /// Since when the first pending call is computed.
    private long busySince;
    /// Why the process was killed by us.
    private @Nullable String killed;

    private @Nullable String end;
    private boolean closing;

    /// A call on its way.
    ///
    /// @param batch null for a source
    private record Sent(PendingCall call, @Nullable SharedBatch batch) {}

    private PythonWorker(WorkerProcess process, PythonProgram program) {
        this.process = process;
        this.memory = new SharedMemory(process);
        this.output = program.output();
        this.timeout = program.timeout();
        this.receiver = Thread.ofPlatform()
                .daemon()
                .name("millrace-python " + process.operator())
                .start(this::receive);
    }

    /// Starts a process and its object, and waits until it is ready.
    ///
    /// @param use null for a source
    static PythonWorker start(
            PythonProgram program, ExternalFunction.@Nullable Use use, int splits, Optional<ActorContext> actor)
            throws InterruptedException {
        String operator = actor.map(ActorContext::operator).orElse(program.name());
        String python = program.interpreter().command();
        PythonWorker worker = new PythonWorker(
                WorkerProcess.start(python, program.startOrder(use, splits), operator, actor), program);
        try {
            worker.ready.get();
        } catch (InterruptedException e) {
            worker.close();
            throw e;
        } catch (ExecutionException e) {
            worker.close();
            throw e.getCause() instanceof RuntimeException failure
                    ? failure
                    : MillraceException.internal("a Python worker failed: " + e.getCause());
        }
        PythonWatch.add(worker);
        return worker;
    }

    @Nullable
    Schema output() {
        return output;
    }

    /// Sends a batch. Its end is told to the call, if this does not throw.
    ///
    /// @return the number of the call
    int call(Batch batch, PendingCall call) throws InterruptedException {
        SharedBatch shared = memory.put(batch);
        if (shared == null) {
            throw lost();
        }
        return send(new Sent(call, shared), shared.segment().number(), shared.length());
    }

    /// Asks for the rows of a split of a source.
    int call(int split, PendingCall call) {
        return send(new Sent(call, null), 0, split);
    }

    private int send(Sent sent, long a, long b) {
        int number;
        synchronized (this) {
            if (end != null || closing) {
                release(sent, false);
                throw lost();
            }
            number = ++calls;
            if (pending.isEmpty()) {
                busySince = System.nanoTime();
            }
            pending.put(number, sent);
        }
        process.send(WorkerFrame.Order.CALL, number, a, b);
        return number;
    }

    /// After a result of a stream.
    ///
    /// @param wantsMore false to end the call
    void next(int call, boolean wantsMore) {
        synchronized (this) {
            busySince = System.nanoTime();
        }
        process.send(WorkerFrame.Order.NEXT, call, wantsMore ? 0 : 1, 0);
    }

    private ProcessLost lost() {
        synchronized (this) {
            return new ProcessLost(end == null ? "The Python worker of " + process.operator() + " was closed." : end);
        }
    }

    // The receiver's thread

    private void receive() {
        String why;
        try {
            while (true) {
                take(process.receive());
            }
        } catch (IOException e) {
            why = null;
        } catch (Throwable e) {
            why = "The Python worker of " + process.operator() + " sent what cannot be read: " + e + ".";
            process.kill();
        }
        finish(why);
    }

    private void take(WorkerFrame frame) throws IOException {
        switch (frame.kind()) {
            case READY -> ready.complete(null);
            case SEGMENT -> memory.announced(frame);
            case RESULT -> {
                PythonResult result = PythonResult.of(frame, frame.a() == 0 ? null : memory.result(frame));
                Sent sent;
                synchronized (this) {
                    sent = pending.get(frame.call());
                    busySince = System.nanoTime();
                }
                if (sent == null) {
                    result.drop();
                } else {
                    sent.call().result(result);
                }
            }
            case DONE -> {
                Sent sent = ended(frame.call(), frame.a() == 1);
                if (sent != null) {
                    sent.call().done();
                }
            }
            case ERROR -> failed(frame);
            case DROPPED -> memory.dropped(frame.a());
        }
    }

    private void failed(WorkerFrame frame) {
        RuntimeException failure = failure(frame);
        if (frame.call() == 0) {
            ready.completeExceptionally(failure);
            return;
        }
        Sent sent = ended(frame.call(), false);
        if (sent != null) {
            sent.call().failed(failure);
        }
    }

    /// The kinds of `calls.py`: 1 it cannot start, 2 the user's code threw, 3 its result is none, 4 no memory.
    private MillraceException failure(WorkerFrame frame) {
        String text = frame.words();
        return switch ((int) frame.a()) {
            case 1 -> MillraceException.user(process.operator() + " cannot start its Python worker: " + text + ".");
            case 2 ->
                frame.call() == 0
                        ? MillraceException.user(process.operator() + " cannot start its Python worker: " + text)
                        : new MillraceException(Culprit.USER, text, new PythonException(text));
            case 3 -> MillraceException.user("The Python function's result is no batch: " + text);
            default ->
                MillraceException.resources("The Python worker is out of memory: "
                        + text.lines().findFirst().orElse("")
                        + ". Raise memoryLimit(...) where one is set, or use smaller batches (batchSize).");
        };
    }

    /// The call, whose memory is free again.
    ///
    /// @param kept Python keeps the memory
    private @Nullable Sent ended(int call, boolean kept) {
        Sent sent;
        synchronized (this) {
            sent = pending.remove(call);
            busySince = System.nanoTime();
        }
        if (sent != null) {
            release(sent, kept);
        }
        return sent;
    }

    private void release(Sent sent, boolean kept) {
        if (sent.batch() != null) {
            memory.release(sent.batch(), kept);
        }
    }

    private void finish(@Nullable String why) {
        boolean interrupted = false;
        String ended = why;
        while (ended == null) {
            try {
                ended = process.end();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        List<Sent> lost;
        synchronized (this) {
            end = killed == null ? ended : killed;
            lost = new ArrayList<>(pending.values());
            pending.clear();
        }
        process.killGroup();
        memory.close();
        ready.completeExceptionally(lost());
        for (Sent sent : lost) {
            release(sent, false);
            sent.call().failed(lost());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    // Its end

    /// Ends the process if a call takes too long, or if nobody has wanted its result for a while.
    ///
    /// @param now of [System#nanoTime]
    /// @param graceNanos how long a cancelled call may go on
    /// @return false if there is nothing to look at any more
    boolean watch(long now, long graceNanos) {
        String reason = null;
        synchronized (this) {
            if (end != null || closing) {
                return false;
            }
            if (pending.isEmpty()) {
                return true;
            }
            long busy = now - busySince;
            if (timeout != null && busy > timeout.toNanos()) {
                reason = "The Python worker of " + process.operator() + " (process " + process.pid()
                        + ") did not answer within its timeout of " + timeout.toMillis()
                        + " ms and was ended. Raise it by timeout(...), or look for what keeps the function busy.";
            } else if (busy > graceNanos
                    && pending.values().stream().allMatch(sent -> sent.call().isCancelled())) {
                reason = "The Python worker of " + process.operator() + " was ended in a call that was cancelled.";
            }
            if (reason == null) {
                return true;
            }
            killed = reason;
        }
        process.kill();
        return false;
    }

    @Override
    public void close() {
        synchronized (this) {
            closing = true;
        }
        process.send(WorkerFrame.Order.END, 0, 0, 0);
        boolean interrupted = false;
        try {
            boolean isBusy;
            synchronized (this) {
                isBusy = !pending.isEmpty() || !ready.isDone() || ready.isCompletedExceptionally();
            }
            if (isBusy || !process.awaitEnd(CLOSE_SECONDS)) {
                process.kill();
            }
        } catch (InterruptedException e) {
            process.kill();
            interrupted = true;
        }
        // It ends soon: the process has ended, or was killed.
        while (true) {
            try {
                receiver.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
