package dev.millrace.internal.engine;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.FailureChain;
import dev.millrace.internal.observe.RunDetails;
import dev.millrace.internal.operator.BlockOutlet;
import dev.millrace.internal.operator.OperatorPipeline;
import dev.millrace.internal.operator.ProgramFactory;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.NeedCheck;
import dev.millrace.internal.thread.DeepStack;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.stats.RunStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A run: one loop thread that owns the [TaskScheduler], and the thread-safe interface to it. The loop waits for the
/// mailbox, passes events to the scheduler, and lets it start tasks. It ends when all output has been delivered to the
/// outlets (or the run is cancelled or has failed) and every task has sent its final event. Blocks that the consumer
/// has not taken by then stay in the outlets, and [#close] frees what is left.
final class StreamingExecutor {

    private final String name;
    private final Allocator account;
    private final Allocator session;
    private final EventMailbox mailbox;
    private final TaskScheduler scheduler;
    private final List<BlockOutlet> outlets = new ArrayList<>();
    private final ConcurrentLinkedQueue<Query<?>> queries = new ConcurrentLinkedQueue<>();
    private final Thread loop;
    private final AtomicInteger openViews;
    private volatile @Nullable RunDetails finalDetails;
    private boolean closed;
    /// The blocks that tasks emitted beside the output, from the close until they are taken.
    private @Nullable List<BlockRef> asides;

    /// @param consumers the number of consumers of the output
    /// @param equal whether each gets the same number of rows
    StreamingExecutor(
            PhysicalPlan plan, ExecutionContext context, ProgramFactory programs, int consumers, boolean equal) {
        NeedCheck.check(plan, context.capacity(), context.settings().runs()::within);
        this.name = context.name();
        this.session = context.memory();
        this.mailbox = new EventMailbox(session);
        this.account = session.child(name);
        for (int i = 0; i < consumers; i++) {
            outlets.add(OperatorPipeline.outlet(context.memory(), () -> mailbox.signal(EventMailbox.DEMAND)));
        }
        this.openViews = new AtomicInteger(consumers);
        CapacityShare.Member capacity = context.capacity()
                .join(name, context.settings().runs()::within, () -> mailbox.signal(EventMailbox.CAPACITY));
        this.scheduler = new TaskScheduler(
                plan,
                new TaskScheduler.Wiring(
                        name,
                        context.runtime(),
                        context.capacity(),
                        capacity,
                        account,
                        context.settings().runs()::blockBytes,
                        context.settings(),
                        programs,
                        System::nanoTime,
                        TaskIds::next,
                        mailbox::post,
                        pull -> Thread.ofVirtual()
                                .name("millrace-splits-" + name)
                                .start(pull),
                        () -> mailbox.signal(EventMailbox.SPLITS)),
                outlets,
                equal);
        account.serve(scheduler.pipeline().output()::isConsumerWaiting, () -> mailbox.signal(EventMailbox.MEMORY));
        this.loop = Thread.ofPlatform()
                .daemon()
                .stackSize(DeepStack.THREAD_BYTES)
                .name("millrace-loop-" + name)
                .unstarted(this::loop);
    }

    List<PlanRun> views() {
        return outlets.stream().<PlanRun>map(ConsumerView::new).toList();
    }

    void start() {
        loop.start();
    }

    private void loop() {
        mailbox.open();
        try {
            run();
        } finally {
            mailbox.close();
        }
    }

    private void run() {
        guarded(scheduler::open);
        guarded(scheduler::dispatch);
        while (!scheduler.isEnded()) {
            long deadline = scheduler.deadline();
            EventMailbox.Batch batch = mailbox.take(
                    deadline == Long.MAX_VALUE ? Long.MAX_VALUE : deadline - System.nanoTime(), scheduler.isIdle());
            guarded(() -> handle(batch));
            answerQueries();
        }
        guarded(scheduler::close);
        finalDetails = scheduler.details();
        answerQueries();
    }

    private void handle(EventMailbox.Batch batch) {
        scheduler.tick();
        int signals = batch.signals();
        if ((signals & EventMailbox.DEMAND) != 0) {
            scheduler.demanded();
        }
        if ((signals & EventMailbox.SPLITS) != 0) {
            scheduler.splitsChanged();
        }
        var events = batch.events();
        for (int i = 0; i < events.size(); i++) {
            scheduler.accept(events.get(i));
        }
        if ((signals & EventMailbox.CLOSE) != 0) {
            scheduler.cancel();
        }
        scheduler.dispatch();
    }

    /// Runs a step of the loop. An exception here is a bug of ours, or of a source or runtime: it ends the run, but
    /// never the loop, which still has to wait for the end of its tasks.
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            MillraceException failure = e instanceof MillraceException told
                    ? told
                    : new MillraceException(Culprit.INTERNAL, "Run '" + name + "' failed in its loop: " + e, e);
            try {
                scheduler.fail(failure);
            } catch (Throwable second) {
                FailureChain.add(failure, second);
            }
        }
    }

    private void answerQueries() {
        Query<?> query;
        while ((query = queries.poll()) != null) {
            query.answerIt();
        }
    }

    private RunStats stats() {
        RunDetails last = finalDetails;
        return last == null ? ask(scheduler::stats, RunDetails::stats) : last.stats();
    }

    private RunDetails details() {
        RunDetails last = finalDetails;
        return last == null ? ask(scheduler::details, Function.identity()) : last;
    }

    /// Lets the loop answer, or takes the answer from the final figures if the loop has ended.
    private <T> T ask(Supplier<T> question, Function<RunDetails, T> atEnd) {
        if (Thread.currentThread().equals(loop) || !loop.isAlive() && finalDetails == null) {
            return question.get();
        }
        Query<T> query = new Query<>(question, new CompletableFuture<>());
        queries.add(query);
        mailbox.signal(EventMailbox.STATS);
        // The loop may have answered its last query just before this one was added.
        RunDetails last = finalDetails;
        if (last != null) {
            query.answer.complete(atEnd.apply(last));
        }
        return query.answer.join();
    }

    /// A question of another thread.
    private record Query<T>(Supplier<T> question, CompletableFuture<T> answer) {
        void answerIt() {
            try {
                answer.complete(question.get());
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        }
    }

    private synchronized Optional<List<BlockRef>> takeAsides() {
        Optional<List<BlockRef>> taken = Optional.ofNullable(asides);
        asides = null;
        return taken;
    }

    /// Cancels what is left, waits for the loop's end and closes the accounts.
    private synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        mailbox.signal(EventMailbox.CLOSE);
        boolean interrupted = false;
        while (loop.isAlive()) {
            try {
                loop.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        outlets.forEach(BlockOutlet::close);
        asides = scheduler.takeAsides();
        asides.forEach(block -> block.moveTo(session));
        for (TaskOperator operator : scheduler.pipeline().tasks()) {
            closeAccount(operator.account());
        }
        closeAccount(account);
    }

    /// Abandoned work may still hold memory, which is freed when it returns: the run has logged a warning.
    private void closeAccount(Allocator held) {
        try {
            held.close();
        } catch (IllegalStateException e) {
            if (!scheduler.hasGivenUp()) {
                throw e;
            }
        }
    }

    /// One consumer's view of the run. The run ends when the last view is closed.
    private final class ConsumerView implements PlanRun {
        private final BlockOutlet outlet;
        private boolean viewClosed;

        ConsumerView(BlockOutlet outlet) {
            this.outlet = outlet;
        }

        @Override
        public @Nullable BlockSlice next() {
            return outlet.take();
        }

        @Override
        public RunStats stats() {
            return StreamingExecutor.this.stats();
        }

        @Override
        public RunDetails details() {
            return StreamingExecutor.this.details();
        }

        @Override
        public Optional<List<BlockRef>> takeAsides() {
            return StreamingExecutor.this.takeAsides();
        }

        @Override
        public synchronized void close() {
            if (viewClosed) {
                return;
            }
            viewClosed = true;
            boolean last = openViews.decrementAndGet() == 0;
            if (!last) {
                outlet.close();
            } else {
                StreamingExecutor.this.close();
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
