package dev.millrace.internal.resource;

import dev.millrace.compute.Resources;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The session's resources, divided fairly among the runs that want them, and what of them is free on each node. A run
/// takes an amount and a node for it in one step. Thread-safe.
///
/// A run may take resources while its own use of that resource stays within its fair share (the total divided by the
/// number of runs that want some), or if it has none of it yet; beyond that, while no other run waits for an amount
/// that it is entitled to by the same rule. So a run is refused in favour of another only if the other can take the
/// resource. Every change wakes exactly the runs that were refused something which they may take now; a node that joins
/// or is lost wakes all.
public interface CapacityShare {
    /// Of something that takes nothing, this many count as fitting on a node.
    int MAX_FITTING = 10_000;

    /// All resources of the session: those of its living nodes, within its limits.
    Resources total();

    /// The resources in use now, by all runs, on living nodes.
    Resources used();

    /// The living nodes, in the order in which they joined.
    List<NodeRoom> nodes();

    /// The living node of that name, or null.
    @Nullable
    NodeRoom node(String name);

    /// The place of tasks that must run in the caller's process, where that is none of the nodes; null: where it is the
    /// only one.
    @Nullable
    NodeRoom driver();

    /// Another number after each node that joined or was lost.
    int version();

    /// Whether a node has this much free now.
    boolean hasRoom(NodeRoom node, Resources amount);

    /// What of a node is in use now.
    Resources used(NodeRoom node);

    /// Waits for a node that has this much, where the session can get more of them.
    ///
    /// @return why none comes, as a part of a sentence; empty if one came, or if there are never more nodes
    default Optional<String> obtain(Resources need) {
        return Optional.empty();
    }

    /// The memory for blocks on the nodes; empty where tasks use the caller's.
    NodeMemory memory();

    /// How many times the amount fits, each on one node, if nothing else is in use.
    default int fitting(Resources each) {
        int fit = 0;
        for (NodeRoom node : nodes()) {
            int there = 0;
            while (there < MAX_FITTING && each.times(there + 1.0).fitsIn(node.total())) {
                there++;
            }
            fit += there;
        }
        return fit;
    }

    /// A run joins that may use everything.
    default Member join(String name, Runnable onFreed) {
        return join(name, UnaryOperator.identity(), onFreed);
    }

    /// A run joins; `onFreed` is called (from any thread; it must be cheap) when something it was refused may be
    /// available now, and when nodes have changed.
    ///
    /// @param limits what it may have at once, of a total
    Member join(String name, UnaryOperator<Resources> limits, Runnable onFreed);

    /// One run's share.
    interface Member extends AutoCloseable {
        /// What this run may have at once.
        Resources most();

        /// The node where the amount is now taken; null records that this run waits for it.
        ///
        /// @param preferred the node to take if it has room; otherwise the one with most free is
        @Nullable
        NodeRoom tryTake(Resources amount, @Nullable NodeRoom preferred);

        /// Takes the amount on that node; false records that this run waits for it.
        boolean tryTakeAt(Resources amount, NodeRoom node);

        /// The same for an optional amount: the run does not wait for it.
        boolean tryTakeSpare(Resources amount, NodeRoom node);

        /// Whether the amount could be taken now, on some node; takes nothing.
        boolean mayTake(Resources amount);

        /// A node for a task or an actor that takes nothing; null if there is none. Ended by [#leave].
        @Nullable
        NodeRoom visit(@Nullable NodeRoom preferred);

        void leave(NodeRoom node);

        void giveBack(Resources amount, NodeRoom node);

        /// Replaces what this run waits for: everything that it was refused and still wants.
        void waitsFor(Collection<CapacityRequest> refused);

        /// Nothing that this run wants is refused any more.
        default void settled() {
            waitsFor(List.of());
        }

        /// The fair fraction of anything that runs share, e.g. block memory: 1 divided by the number of runs that want
        /// some.
        double part();

        /// Wakes the run when its [#part] grows: a task was refused because the fraction is small.
        void watchPart();

        /// The most that this run could take right now: for budgets.
        Resources fairShare();

        @Override
        void close();
    }
}
