package dev.millrace.testing;

import dev.millrace.compute.Resources;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.NodeEvent;
import dev.millrace.runtime.Runtime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/// Distributes blocks over a few "nodes", of which one is lost from time to time, with all of its blocks; another takes
/// its place. The pauses between losses become longer: what was lost has to be made again before the next one, or no
/// run would end. Thread-safe.
final class BlockNodes {
    private static final int NODES = 3;

    private static final class Group {
        final String name;
        final Set<LosableBlock> blocks = new HashSet<>();

        Group(int number) {
            name = "memory-" + number;
        }

        /// Runs nothing.
        Runtime.Node node() {
            return new Runtime.Node(name, Resources.NONE, 0);
        }
    }

    private final SplittableRandom random;
    private final List<Group> groups = new ArrayList<>();
    private final List<Consumer<NodeEvent>> listeners = new ArrayList<>();
    private int named;
    private long untilLoss;
    private long pause;
    private int losses;

    /// @param every the first loss is after this many blocks; 0: never
    BlockNodes(long seed, int every) {
        this.random = new SplittableRandom(seed);
        this.pause = every;
        this.untilLoss = every == 0 ? Long.MAX_VALUE : 1 + random.nextInt(every);
        for (int i = 0; i < NODES; i++) {
            groups.add(new Group(++named));
        }
    }

    synchronized void watch(Consumer<NodeEvent> listener) {
        nodes().forEach(node -> listener.accept(new NodeEvent.Joined(node)));
        listeners.add(listener);
    }

    /// Those there are now; none if none is ever lost.
    synchronized List<Runtime.Node> nodes() {
        return pause == 0 ? List.of() : groups.stream().map(Group::node).toList();
    }

    synchronized int losses() {
        return losses;
    }

    /// Blocks beside the output are never lost.
    synchronized BlockRef place(BlockRef block) {
        if (pause == 0 || block.metadata().aside() != null) {
            return block;
        }
        Group group = groups.get(random.nextInt(NODES));
        LosableBlock placed = new LosableBlock(block, group.name, this);
        group.blocks.add(placed);
        return placed;
    }

    synchronized void freed(LosableBlock block) {
        groups.forEach(group -> group.blocks.remove(block));
    }

    /// A block was made.
    ///
    /// @return whether it is time for a loss
    synchronized boolean isDue() {
        if (--untilLoss > 0) {
            return false;
        }
        pause *= 2;
        untilLoss = pause;
        return true;
    }

    /// Loses all nodes.
    ///
    /// @param told whether anybody is told; else it is noticed when a block is not there
    void loseAll(boolean told) {
        for (int i = 0; i < NODES; i++) {
            lose(i, told);
        }
    }

    /// Loses one node, with its blocks. Every other loss is only noticed when a block is not there: the
    /// node lives on, without what it had.
    void lose() {
        int place;
        boolean isTold;
        synchronized (this) {
            place = random.nextInt(NODES);
            isTold = losses % 2 == 0;
        }
        lose(place, isTold);
    }

    private void lose(int place, boolean isTold) {
        Group lost;
        List<LosableBlock> blocks;
        List<NodeEvent> events = new ArrayList<>();
        List<Consumer<NodeEvent>> told;
        synchronized (this) {
            lost = groups.get(place);
            blocks = List.copyOf(lost.blocks);
            lost.blocks.clear();
            losses++;
            told = List.copyOf(listeners);
            if (isTold) {
                Group next = new Group(++named);
                groups.set(place, next);
                events.add(new NodeEvent.Lost(lost.name));
                events.add(new NodeEvent.Joined(next.node()));
            }
        }
        events.forEach(event -> told.forEach(listener -> listener.accept(event)));
        blocks.forEach(LosableBlock::lose);
    }
}
