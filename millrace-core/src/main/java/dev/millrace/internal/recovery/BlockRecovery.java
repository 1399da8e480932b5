package dev.millrace.internal.recovery;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.RetryRule;
import dev.millrace.internal.fault.WorkerLosses;
import dev.millrace.memory.MemoryYielded;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.BlocksLost;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.WorkerGone;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Runs one task again whose blocks were lost, once for all of them: first its inputs are found, or made again; then it
/// waits for a place among the recoveries that run; then each row range that somebody wants is filled from its blocks.
/// It ends when all are filled, or its output has ended, or nobody asks any more. Of the thread of [BlockRecoveries]
/// only.
final class BlockRecovery implements RetryRule.FailureCounts, InputRequest.Listener {
    /// Preempted tasks begin again after this pause: whoever needed the memory has it by then.
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /// Rows that are to be filled: of a request, or of a block that is lost and still referenced, of which nobody may
    /// be waiting.
    sealed interface WantedRows {
        long from();

        long rows();
    }

    record RequestedRows(long from, long rows, InputRequest request, int index) implements WantedRows {}

    private record LostRows(long from, long rows, RecoverableBlock block) implements WantedRows {}

    /// Rows on their way.
    private static final class Filling {
        final WantedRows wanted;
        final List<BlockSlice> pieces = new ArrayList<>();
        long filled;

        Filling(WantedRows wanted) {
            this.wanted = wanted;
        }

        boolean isFull() {
            return !pieces.isEmpty() && filled == wanted.rows();
        }

        void empty() {
            pieces.forEach(BlockSlice::release);
            pieces.clear();
            filled = 0;
        }
    }

    private enum State {
        NEW,
        GATHERING,
        QUEUED,
        RUNNING,
        PAUSED,
        /// Its task was cancelled: nobody wants more of it.
        ENDING,
        OVER
    }

    private final BlockRecoveries recoveries;
    private final TaskRecipe recipe;
    private final int depth;
    private final List<Filling> fillings = new ArrayList<>();
    /// Those that have all of their rows. They are handed over at the end, when the inputs are released: whoever asked
    /// may belong to a run that ends then, and the inputs too.
    private final List<Filling> full = new ArrayList<>();
    /// Asked for when the rows had passed already, or the recovery was ending: they begin another one.
    private final List<RequestedRows> late = new ArrayList<>();
    /// Requests that were withdrawn, and hear of the end.
    private final List<InputRequest> leaving = new ArrayList<>();

    private State state = State.NEW;
    private @Nullable InputRequest gathering;
    /// The inputs for the next attempt; null for those that are missing.
    private List<@Nullable List<BlockSlice>> known = List.of();

    private List<List<BlockSlice>> inputs = List.of();
    private long row;
    private boolean hasBlocks;
    private final WorkerLosses losses = new WorkerLosses();
    private int ioErrors;
    private int userErrors;

    BlockRecovery(BlockRecoveries recoveries, TaskRecipe recipe, int depth) {
        this.recoveries = recoveries;
        this.recipe = recipe.retain();
        this.depth = depth;
    }

    TaskRecipe recipe() {
        return recipe;
    }

    /// How many recipes are between this and who asked first: those next to it run first, so that what they need is
    /// held for a short time only.
    int depth() {
        return depth;
    }

    // ---- what is wanted

    void want(RequestedRows rows) {
        boolean passed = state == State.RUNNING && (rows.rows() == 0 ? hasBlocks : row > rows.from());
        if (passed || state == State.ENDING || state == State.OVER) {
            late.add(rows);
        } else {
            fillings.add(new Filling(rows));
        }
        if (state == State.NEW) {
            state = State.GATHERING;
            known = Collections.nCopies(recipe.inputs().size(), null);
            recoveries.post(this::gather);
        }
    }

    /// The request waits no longer. It hears, by [InputRequest#leave] for each range that it wanted, when nothing runs
    /// for it any more.
    void withdraw(InputRequest request) {
        for (RequestedRows rows : List.copyOf(late)) {
            if (rows.request() == request) {
                late.remove(rows);
                request.leave();
            }
        }
        for (List<Filling> some : List.of(fillings, full)) {
            for (Filling filling : List.copyOf(some)) {
                if (filling.wanted instanceof RequestedRows rows && rows.request() == request) {
                    some.remove(filling);
                    filling.empty();
                    leaving.add(request);
                }
            }
        }
        if (isWanted()) {
            dismiss();
        } else {
            stop();
        }
    }

    /// Whether somebody waits for rows that are not there yet.

    private boolean isWanted() {
        return fillings.stream().anyMatch(filling -> filling.wanted instanceof RequestedRows);
    }

    private void dismiss() {
        List<InputRequest> dismissed = List.copyOf(leaving);
        leaving.clear();
        dismissed.forEach(InputRequest::leave);
    }

    /// Nobody asks any more.
    private void stop() {
        switch (state) {
            case GATHERING -> {
                state = State.ENDING;
                if (gathering == null) {
                    return; // It has not begun, and will see this.
                }
                gathering.withdraw();
            }
            case QUEUED -> {
                recoveries.dequeue(this);
                over();
            }
            case RUNNING -> {
                state = State.ENDING;
                recoveries.cancel(this);
            }
            case PAUSED -> over();
            case NEW, ENDING, OVER -> {}
        }
    }

    // ---- its inputs

    private void gather() {
        if (state == State.ENDING) {
            over();
            return;
        }
        state = State.GATHERING;
        gathering = new InputRequest(recoveries, recipe.inputs(), depth + 1, known, this);
        known = List.of();
        gathering.start();
    }

    @Override
    public void ready(List<List<BlockSlice>> found) {
        gathering = null;
        inputs = found;
        // Others need the memory until its turn comes.
        inputs.forEach(pieces -> pieces.forEach(piece -> piece.block().maySpill()));
        state = State.QUEUED;
        recoveries.enqueue(this);
    }

    @Override
    public void failed(Throwable cause) {
        gathering = null;
        giveUp(cause);
    }

    @Override
    public void withdrawn() {
        gathering = null;
        over();
    }

    // ---- its task

    /// The pieces of each input, from [#begin] to the end of the attempt.
    List<List<BlockSlice>> inputs() {
        return inputs;
    }

    /// Its place has come.
    void begin() {
        state = State.RUNNING;
        row = 0;
        hasBlocks = false;
        fillings.removeIf(filling -> filling.wanted instanceof LostRows);
        for (RecoverableBlock block : recipe.lostBlocks()) {
            fillings.add(
                    new Filling(new LostRows(block.firstRow(), block.metadata().rows(), block)));
        }
    }

    void accept(TaskEvent event) {
        switch (event) {
            case TaskEvent.BlockReady(long _, BlockRef block) -> made(block);
            case TaskEvent.Paused _ -> {} // A grant is on its way: its credit has no end.
            case TaskEvent.Finished _ -> finished();
            case TaskEvent.Failed failed -> attemptFailed(failed.cause(), failed.workerLost());
            case TaskEvent.ActorReady _, TaskEvent.ActorFailed _ ->
                throw MillraceException.internal("a task sent the event of an actor: " + event);
        }
    }

    private void made(BlockRef block) {
        // Blocks beside the output were delivered by the first run of the task.
        if (block.metadata().aside() == null) {
            long rows = block.metadata().rows();
            // It waits for those who want it; others may need the memory now.
            block.maySpill();
            for (Filling filling : List.copyOf(fillings)) {
                fill(filling, block, rows);
            }
            row += rows;
            hasBlocks = true;
        }
        block.release();
        if (state == State.RUNNING && fillings.isEmpty()) {
            state = State.ENDING;
            recoveries.cancel(this);
        }
    }

    private void fill(Filling filling, BlockRef block, long rows) {
        WantedRows wanted = filling.wanted;
        long start = Math.max(wanted.from(), row);
        long end = Math.min(wanted.from() + wanted.rows(), row + rows);
        if (wanted.rows() == 0) {
            filling.pieces.add(new BlockSlice(block.retain(), 0, 0));
        } else if (start < end) {
            filling.pieces.add(new BlockSlice(block.retain(), start - row, end - start));
            filling.filled += end - start;
        }
        if (!filling.isFull()) {
            return;
        }
        fillings.remove(filling);
        full.add(filling);
        if (inputs.isEmpty()) {
            handOver();
        }
    }

    private void handOver() {
        List<Filling> made = List.copyOf(full);
        full.clear();
        for (Filling filling : made) {
            recoveries.count(filling.wanted instanceof LostRows);
            List<BlockSlice> pieces = List.copyOf(filling.pieces);
            switch (filling.wanted) {
                case RequestedRows asked -> asked.request().filled(asked.index(), pieces);
                case LostRows lost -> lost.block().replace(pieces);
            }
        }
    }

    private void finished() {
        recoveries.ended(this);
        try {
            if (state == State.RUNNING) {
                recipe.finished(row);
            }
        } catch (MillraceException e) {
            giveUp(e);
            return;
        }
        if (isWanted()) {
            giveUp(MillraceException.internal(
                    recipe.operator() + " made " + row + " rows when it was run again, fewer than before."));
        } else {
            over();
        }
    }

    /// Its attempt is over, or its actor did not start.
    void attemptFailed(Throwable cause, boolean workerLost) {
        recoveries.ended(this);
        if (state == State.ENDING || !isWanted()) {
            over();
            return;
        }
        fillings.forEach(Filling::empty);
        BlocksLost lost = lostInputs(cause);
        boolean counts = workerLost && lost == null && !(cause instanceof WorkerGone);
        if (counts) {
            losses.add(System.nanoTime());
        }
        RetryRule.Decision decision = RetryRule.decide(
                recoveries.faults(), lost == null ? cause : lost, workerLost && lost == null, this, Math.random());
        if (!decision.retry()) {
            giveUp(cause);
            return;
        }
        known = lost == null ? new ArrayList<>(inputs) : withoutLost(lost);
        inputs = List.of();
        state = State.PAUSED;
        boolean pauses = cause instanceof MemoryYielded || lost != null || !counts;
        long delay = Math.max(decision.delayNanos(), pauses ? PAUSE_NANOS : 0);
        recoveries.later(delay, () -> {
            if (state == State.PAUSED) {
                gather();
            }
        });
    }

    /// What a failure says about lost inputs; programs may have wrapped it.
    static @Nullable BlocksLost lostInputs(@Nullable Throwable cause) {
        for (int depth = 0; cause != null && depth < 20; cause = cause.getCause(), depth++) {
            if (cause instanceof BlocksLost lost) {
                return lost;
            }
        }
        return null;
    }

    /// The inputs that are still there.
    private List<@Nullable List<BlockSlice>> withoutLost(BlocksLost lost) {
        List<@Nullable List<BlockSlice>> left = new ArrayList<>();
        int first = 0;
        for (int i = 0; i < inputs.size(); i++) {
            List<BlockSlice> pieces = inputs.get(i);
            boolean isLost = false;
            for (int piece = 0; piece < pieces.size(); piece++) {
                if (lost.inputs().contains(first + piece)) {
                    isLost = true;
                    if (recipe.inputs().get(i) instanceof RecipeInput.Made made) {
                        made.maker().lost(pieces.get(piece).block());
                    }
                }
            }
            first += pieces.size();
            if (isLost || lost.inputs().isEmpty()) {
                pieces.forEach(BlockSlice::release);
                left.add(null);
            } else {
                left.add(pieces);
            }
        }
        return left;
    }

    @Override
    public int lostWorkers() {
        return losses.counted();
    }

    @Override
    public int failedByIo() {
        return ++ioErrors;
    }

    @Override
    public int failedByUser() {
        return ++userErrors;
    }

    // ---- the end

    /// Whoever asks gets the error; blocks that nobody asks for stay lost.
    void giveUp(Throwable cause) {
        Throwable told = cause instanceof BlockNotMadeAgain
                ? cause
                : new BlockNotMadeAgain(culprit(cause), recipe.operator(), losses.counted(), cause);
        List<Filling> left = List.copyOf(fillings);
        fillings.clear();
        left.forEach(Filling::empty);
        over();
        for (Filling filling : left) {
            if (filling.wanted instanceof RequestedRows rows) {
                rows.request().failed(told);
            }
        }
    }

    /// Tells everybody at once, also if its task is still running: it is cancelled.
    void abandon(Throwable cause) {
        List<RequestedRows> asked = new ArrayList<>(late);
        for (Filling filling : fillings) {
            filling.empty();
            if (filling.wanted instanceof RequestedRows rows) {
                asked.add(rows);
            }
        }
        for (Filling filling : List.copyOf(full)) {
            if (filling.wanted instanceof RequestedRows rows) {
                full.remove(filling);
                filling.empty();
                asked.add(rows);
            }
        }
        late.clear();
        fillings.clear();
        stop();
        asked.forEach(rows -> rows.request().failed(cause));
    }

    private static Culprit culprit(Throwable cause) {
        return cause instanceof MillraceException told ? told.culprit() : Culprit.USER;
    }

    private void over() {
        if (state == State.OVER) {
            return;
        }
        state = State.OVER;
        fillings.forEach(Filling::empty);
        fillings.clear();
        InputRequest.release(inputs);
        InputRequest.release(known);
        inputs = List.of();
        known = List.of();
        recoveries.forget(this);
        handOver();
        if (!late.isEmpty()) {
            BlockRecovery next = recoveries.of(recipe, depth);
            late.forEach(rows -> {
                rows.request().asks(next);
                next.want(rows);
            });
            late.clear();
        }
        recipe.release();
        dismiss();
        recoveries.noteQuiet();
    }
}
