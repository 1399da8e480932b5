package dev.millrace.internal.recovery;

import dev.millrace.error.MillraceException;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Somebody waits for all of these inputs: those in the store are taken from there, the others are made again. Ends by
/// one call of its listener. Of the thread of [BlockRecoveries] only.
final class InputRequest {
    /// Called once, on the thread of [BlockRecoveries].
    interface Listener {
        /// The pieces of each input, in order; the listener owns them.
        void ready(List<List<BlockSlice>> inputs);

        /// @param cause a sentence
        void failed(Throwable cause);

        /// It was withdrawn, and nothing runs for it any more.
        void withdrawn();
    }

    private final BlockRecoveries recoveries;
    private final List<RecipeInput> inputs;
    private final int depth;
    private final Listener listener;
    private final List<@Nullable List<BlockSlice>> pieces;
    private final Set<BlockRecovery> asked = new LinkedHashSet<>();
    private int outstanding;
    private @Nullable Throwable failure;
    private boolean withdrawn;
    private boolean ended;

    /// @param depth how many recipes are between this and who asked first
    /// @param known pieces that the caller has already, which are taken over; null for the others
    InputRequest(
            BlockRecoveries recoveries,
            List<RecipeInput> inputs,
            int depth,
            List<@Nullable List<BlockSlice>> known,
            Listener listener) {
        this.recoveries = recoveries;
        this.inputs = inputs;
        this.depth = depth;
        this.pieces = new ArrayList<>(known);
        this.listener = listener;
    }

    /// Nothing is known yet.
    InputRequest(BlockRecoveries recoveries, List<RecipeInput> inputs, int depth, Listener listener) {
        this(recoveries, inputs, depth, Collections.nCopies(inputs.size(), null), listener);
    }

    void start() {
        // One for this method, so that an answer at once does not end the request before all have been asked.
        outstanding = 1;
        for (int i = 0; i < inputs.size() && failure == null; i++) {
            if (pieces.get(i) == null) {
                find(i);
            }
        }
        leave();
    }

    /// Ends it before it has begun.
    void refuse(Throwable cause) {
        outstanding = 1;
        failed(cause);
    }

    private void find(int index) {
        switch (inputs.get(index)) {
            case RecipeInput.Kept(BlockSlice slice) -> {
                List<BlockSlice> found = RecoverableBlock.of(slice.block()).rows(slice.from(), slice.rows());
                if (found == null) {
                    outstanding++;
                    failed(MillraceException.resources(
                            "A block was lost that no task has made: it cannot be made again."));
                }
                pieces.set(index, found);
            }
            case RecipeInput.Made(TaskRecipe maker, long from, long rows) -> {
                List<BlockSlice> found = maker.find(from, rows);
                pieces.set(index, found);
                if (found == null) {
                    outstanding++;
                    BlockRecovery recovery = recoveries.of(maker, depth);
                    asked.add(recovery);
                    recovery.want(new BlockRecovery.RequestedRows(from, rows, this, index));
                }
            }
        }
    }

    /// A range that came too late for one recovery is filled by the next.
    void asks(BlockRecovery next) {
        asked.add(next);
    }

    /// An input is there; takes the references over.
    void filled(int index, List<BlockSlice> made) {
        pieces.set(index, made);
        leave();
    }

    /// An input cannot be made again.
    void failed(Throwable cause) {
        if (failure == null) {
            failure = cause;
            List.copyOf(asked).forEach(recovery -> recovery.withdraw(this));
        }
        leave();
    }

    /// Nobody waits any more. The listener hears of it once nothing runs for this request.
    void withdraw() {
        if (!withdrawn && !ended) {
            withdrawn = true;
            List.copyOf(asked).forEach(recovery -> recovery.withdraw(this));
        }
    }

    /// One of the recoveries it asked has nothing to do with it any more.
    void leave() {
        if (--outstanding > 0 || ended) {
            return;
        }
        ended = true;
        if (failure == null && !withdrawn) {
            List<List<BlockSlice>> all = new ArrayList<>();
            pieces.forEach(found -> all.add(found == null ? List.of() : found));
            listener.ready(all);
            return;
        }
        release(pieces);
        if (withdrawn) {
            listener.withdrawn();
        } else if (failure != null) {
            listener.failed(failure);
        }
    }

    /// Releases pieces of inputs.
    static void release(List<? extends @Nullable List<BlockSlice>> pieces) {
        for (List<BlockSlice> found : pieces) {
            if (found != null) {
                found.forEach(BlockSlice::release);
            }
        }
    }
}
