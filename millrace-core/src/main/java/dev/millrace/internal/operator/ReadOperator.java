package dev.millrace.internal.operator;

import dev.millrace.internal.fault.ThreadPlace;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.memory.Allocator;
import dev.millrace.source.Split;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;

/// Reads a source: one task per split; splits are pulled as tasks need them.
public final class ReadOperator extends TaskOperator {
    private final PhysicalPlan.Read plan;
    private final ProgramFactory programs;
    private final SplitFeed feed;
    private long splitsTaken;

    ReadOperator(
            PhysicalPlan.Read plan,
            OperatorHost host,
            ProgramFactory programs,
            Allocator account,
            Executor executor,
            Runnable onSplits) {
        super(
                plan.name(),
                host,
                plan.resources(),
                concurrency(plan),
                null,
                account,
                plan.source().isLocal(),
                plan.chain().targetBytes());
        this.plan = plan;
        this.programs = programs;
        this.feed = new SplitFeed(plan.source(), plan.request(), executor, onSplits);
    }

    /// Splits of a local source can only be read sequentially.
    private static int concurrency(PhysicalPlan.Read plan) {
        if (plan.source().isLocal()) {
            return 1;
        }
        return plan.maxConcurrency() <= 0 ? Integer.MAX_VALUE : plan.maxConcurrency();
    }

    @Override
    void open() {
        feed.refill();
    }

    public boolean isListing() {
        return feed.isPulling();
    }

    /// Abandons a listing that does not end; returns where it is, if there is one.
    public Optional<String> giveUpListing() {
        Thread listing = feed.giveUp();
        return Optional.ofNullable(listing)
                .map(thread -> "the listing of " + name() + " (" + ThreadPlace.of(thread) + ")");
    }

    /// New splits, their end or a failure may have arrived.
    public void splitsChanged() {
        if (isStopped()) {
            return;
        }
        if (feed.failure() != null) {
            host.fail(feed.failure());
            return;
        }
        checkFinished();
    }

    @Override
    public boolean inputReady() {
        return !feed.isEmpty();
    }

    @Override
    boolean inputExhausted() {
        return feed.failure() == null && feed.isExhausted();
    }

    @Override
    TaskRun takeInput() {
        Split split = feed.take();
        String reads = plan.chain().steps().isEmpty() ? split.description() : madeBy(name()) + split.description();
        return new TaskRun(this, programs.read(split, plan.chain()), List.of(), 0, 0, splitsTaken++, reads);
    }

    private static String madeBy(String operator) {
        return "what " + operator + " made of ";
    }

    /// The split's description in what [TaskRun#reads] says.
    static String splitOf(String reads, String operator) {
        return reads.startsWith(madeBy(operator))
                ? reads.substring(madeBy(operator).length())
                : reads;
    }

    @Override
    long guessOutputBytes() {
        Split next = feed.peek();
        return next == null
                ? plan.chain().targetBytes()
                : next.sizeBytes().orElse(plan.chain().targetBytes());
    }

    @Override
    void onStop() {
        feed.close();
        super.onStop();
    }

    @Override
    String lines() {
        return plan.chain().lines();
    }

    @Override
    boolean writes() {
        return plan.chain().writes();
    }

    @Override
    OptionalLong totalTasks() {
        long total = feed.total();
        return total < 0 ? OptionalLong.empty() : OptionalLong.of(total);
    }

    @Override
    OptionalLong totalRows() {
        return plan.totalRows();
    }
}
