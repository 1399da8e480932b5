package dev.millrace.internal.cluster.worker;

import dev.millrace.block.Block;
import dev.millrace.internal.cluster.link.BlockPeer;
import dev.millrace.internal.cluster.shuffle.ShuffleFolder;
import dev.millrace.internal.runtime.wire.BlockBytes;
import dev.millrace.internal.runtime.wire.TaskInputs;
import dev.millrace.internal.runtime.wire.WireInput;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlocksLost;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// The inputs of a task that are elsewhere. The one after the one that is taken is asked for at once, so that it is on
/// its way while the task computes. The task's thread.
final class FetchedInputs implements TaskInputs {
    private final List<WireInput> inputs;
    private final Function<String, BlockPeer> peers;
    private final SharedCopies copies;
    private final @Nullable ShuffleFolder shuffles;
    private final LongPredicate isHere;
    private BlockPeer.@Nullable Ahead ahead;
    private int aheadIndex = -1;
    private long fetchedBytes;

    /// @param shuffles the files of shuffles; null if there are none
    FetchedInputs(
            List<WireInput> inputs,
            Function<String, BlockPeer> peers,
            SharedCopies copies,
            @Nullable ShuffleFolder shuffles,
            LongPredicate isHere) {
        this.inputs = inputs;
        this.peers = peers;
        this.copies = copies;
        this.shuffles = shuffles;
        this.isHere = isHere;
    }

    @Override
    public Block input(int index, Allocator account) {
        return switch (inputs.get(index)) {
            case WireInput.Inline(BlockBytes block) -> block.decode(account);
            case WireInput.Stored stored ->
                stored.shared()
                        ? copies.rows(stored, account, task -> fetch(index, stored, task))
                        : fetch(index, stored, account);
        };
    }

    private Block fetch(int index, WireInput.Stored stored, Allocator account) {
        Block block = fetched(index, stored, account);
        fetchedBytes += block.sizeBytes();
        return block;
    }

    private Block fetched(int index, WireInput.Stored stored, Allocator account) {
        if (stored.file() != null) {
            return Objects.requireNonNull(shuffles, "the driver told of them")
                    .read(stored.file(), stored.from(), stored.rows(), account);
        }
        BlockPeer.Ahead asked = null;
        if (aheadIndex == index) {
            asked = ahead;
            ahead = null;
        } else {
            dropAhead();
        }
        askAhead(index + 1, account);
        try {
            return rows(stored, asked, account);
        } catch (BlockPeer.PeerGone e) {
            throw new BlocksLost(String.valueOf(e.getMessage()), List.of(index));
        }
    }

    /// From the node that has them, or through the driver if that node lives but cannot be reached from here: the
    /// driver has a connection to both.
    private Block rows(WireInput.Stored stored, BlockPeer.@Nullable Ahead asked, Allocator account)
            throws BlockPeer.PeerGone {
        BlockPeer holder = peers.apply(stored.node());
        if (!holder.isUnreachable()) {
            try {
                return holder.fetch(stored.number(), stored.from(), stored.rows(), asked, account);
            } catch (BlockPeer.PeerGone e) {
                if (e.isLost() || stored.node().isEmpty()) {
                    throw e;
                }
            }
        } else if (asked != null) {
            asked.close();
        }
        return peers.apply("").fetch(stored.number(), stored.from(), stored.rows(), null, account);
    }

    private void askAhead(int from, Allocator account) {
        for (int i = from; i < inputs.size() && !account.isTight(); i++) {
            if (inputs.get(i) instanceof WireInput.Stored next
                    && next.file() == null
                    && !next.shared()
                    && !isHere.test(next.number())) {
                ahead = peers.apply(next.node()).ask(next.number(), next.from(), next.rows());
                aheadIndex = i;
                return;
            }
        }
    }

    private void dropAhead() {
        if (ahead != null) {
            ahead.close();
            ahead = null;
        }
    }

    @Override
    public long fetchedBytes() {
        return fetchedBytes;
    }

    @Override
    public void close() {
        dropAhead();
    }
}
