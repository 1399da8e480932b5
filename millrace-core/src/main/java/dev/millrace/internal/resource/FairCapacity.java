package dev.millrace.internal.resource;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.runtime.NodeEvent;
import dev.millrace.runtime.NodeSupply;
import dev.millrace.runtime.Runtime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// [CapacityShare] for the runs of one session. One lock; it is held for a few additions and a look at each node, and
/// while waiting runs are notified (which posts to their mailboxes and calls nothing back).
///
/// A lost node's amounts end with it: what was used there is not in use any more, and is not given back again when the
/// tasks and actors that had it end.
public final class FairCapacity implements CapacityShare {
    private final UnaryOperator<Resources> limits;
    /// Custom resources that the session names and its nodes do not have: they are counted for the session alone.
    private final Map<String, Double> ofSession;

    private final @Nullable NodeRoom driver;
    private final boolean sharesMemory;
    /// Set before anybody else has this.
    private @Nullable NodeSupply supply;

    private final List<RunShare> parts = new ArrayList<>();
    /// Replaced with each change, so that it can be read without the lock.
    private volatile List<NodeRoom> nodes = List.of();

    private volatile Map<String, NodeRoom> byName = Map.of();
    private volatile Resources total = Resources.NONE;
    private volatile NodeMemory memory = NodeMemory.NONE;
    private volatile int version;
    private Resources used = Resources.NONE;
    /// The number of runs that hold or wait for resources.
    private int wanting;
    /// The number of runs that must be notified of changes.
    private int listening;

    private FairCapacity(UnaryOperator<Resources> limits, Map<String, Double> ofSession, boolean ships) {
        this.limits = limits;
        this.ofSession = ofSession;
        this.sharesMemory = !ships;
        this.driver = ships
                ? new NodeRoom(
                        null, Resources.cpus(java.lang.Runtime.getRuntime().availableProcessors()), 0)
                : null;
    }

    /// One node of this size, without a name.
    public FairCapacity(Resources total) {
        this(UnaryOperator.identity(), Map.of(), false);
        joined(new NodeRoom(null, total, 0));
    }

    /// The nodes of a runtime, as they come and go.
    ///
    /// @param limits of the session, which do not change
    public static FairCapacity of(Runtime runtime, UnaryOperator<Resources> limits) {
        Map<String, Double> ofSession = new HashMap<>();
        Set<String> there = runtime.capacity().custom().keySet();
        limits.apply(runtime.capacity()).custom().forEach((name, _) -> {
            if (!there.contains(name)) {
                ofSession.put(name, Double.MAX_VALUE / 4);
            }
        });
        FairCapacity capacity = new FairCapacity(limits, ofSession, runtime.shipsPrograms());
        runtime.watchNodes(capacity::accept);
        capacity.supply = runtime.supply().orElse(null);
        if (capacity.supply != null) {
            capacity.supply.watch(capacity::waiting);
        }
        return capacity;
    }

    /// The runtime's nodes have changed.
    public void accept(NodeEvent event) {
        switch (event) {
            // One without resources only keeps blocks.
            case NodeEvent.Joined(Runtime.Node node) when node.resources().equals(Resources.NONE) -> {}
            case NodeEvent.Joined(Runtime.Node node) ->
                joined(new NodeRoom(node.name(), inAll(node), node.blockMemory()));
            case NodeEvent.Lost(String name) -> lost(name);
        }
    }

    private Resources inAll(Runtime.Node node) {
        return ofSession.isEmpty() ? node.resources() : node.resources().plus(new Resources(0, 0, 0, ofSession));
    }

    private synchronized void joined(NodeRoom node) {
        List<NodeRoom> more = new ArrayList<>(nodes);
        more.add(node);
        nodesAre(more);
    }

    private synchronized void lost(String name) {
        NodeRoom node = byName.get(name);
        if (node == null) {
            return;
        }
        used = used.minus(node.used());
        node.lose();
        List<NodeRoom> left = new ArrayList<>(nodes);
        left.remove(node);
        nodesAre(left);
    }

    private void nodesAre(List<NodeRoom> now) {
        Resources sum = Resources.NONE;
        Map<String, NodeRoom> named = new HashMap<>();
        for (NodeRoom node : now) {
            sum = sum.plus(node.total());
            if (node.name() != null) {
                named.put(node.name(), node);
            }
        }
        nodes = List.copyOf(now);
        byName = Map.copyOf(named);
        total = now.isEmpty() ? Resources.NONE : limits.apply(sum);
        memory = sharesMemory ? NodeMemory.NONE : NodeMemory.of(now);
        for (RunShare part : parts) {
            part.most = part.limits.apply(total);
        }
        int next = version + 1;
        version = next;
        for (RunShare part : parts) {
            part.onFreed.run();
        }
    }

    @Override
    public Resources total() {
        return total;
    }

    @Override
    public synchronized Resources used() {
        return used;
    }

    @Override
    public List<NodeRoom> nodes() {
        return nodes;
    }

    @Override
    public @Nullable NodeRoom node(String name) {
        return byName.get(name);
    }

    @Override
    public @Nullable NodeRoom driver() {
        return driver;
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public NodeMemory memory() {
        return memory;
    }

    /// Amounts that runs were refused and wait for, each once.
    private synchronized List<Resources> waiting() {
        return parts.stream()
                .flatMap(part -> part.refused.stream())
                .map(CapacityRequest::amount)
                .distinct()
                .toList();
    }

    @Override
    public Optional<String> obtain(Resources need) {
        // What the session's limits forbid, another node does not allow.
        return supply == null || !need.fitsIn(limits.apply(total.plus(need))) ? Optional.empty() : supply.obtain(need);
    }

    @Override
    public synchronized boolean hasRoom(NodeRoom node, Resources amount) {
        return !node.isLost() && node.has(amount);
    }

    @Override
    public synchronized Resources used(NodeRoom node) {
        return node.used();
    }

    @Override
    public synchronized Member join(String name, UnaryOperator<Resources> limits, Runnable onFreed) {
        RunShare part = new RunShare(name, limits, onFreed);
        parts.add(part);
        return part;
    }

    /// The only place that publishes a change of what is used, wanted or shared: notifies the runs, except the one that
    /// made the change, for which something is no longer refused.
    private void changed(RunShare by) {
        by.count();
        if (listening == 0) {
            return;
        }
        for (int i = 0; i < parts.size(); i++) {
            RunShare part = parts.get(i);
            if (part != by && part.mayTakeRefused()) {
                part.onFreed.run();
            }
        }
    }

    private final class RunShare implements Member {
        private final String name;
        private final UnaryOperator<Resources> limits;
        private final Runnable onFreed;
        private volatile Resources most;
        private Resources mine = Resources.NONE;
        /// The number of amounts it has taken and not given back.
        private int holds;
        /// The amounts it was refused and waits for.
        private final List<CapacityRequest> refused = new ArrayList<>(2);
        /// The number of runs that wanted resources when its fraction was found to be too small; 0 if it was not.
        private int watched;

        private boolean counted;
        private boolean listens;
        private boolean closed;

        RunShare(String name, UnaryOperator<Resources> limits, Runnable onFreed) {
            this.name = name;
            this.limits = limits;
            this.onFreed = onFreed;
            this.most = limits.apply(total);
        }

        private void count() {
            boolean wants = !closed && (holds > 0 || !refused.isEmpty());
            wanting += (wants ? 1 : 0) - (counted ? 1 : 0);
            counted = wants;
            boolean listensNow = !closed && (watched > 0 || !refused.isEmpty());
            listening += (listensNow ? 1 : 0) - (listens ? 1 : 0);
            listens = listensNow;
        }

        /// True if something that was refused would be granted now.
        private boolean mayTakeRefused() {
            for (int i = 0; i < refused.size(); i++) {
                CapacityRequest request = refused.get(i);
                if (request.at() == null
                        ? choose(request.amount(), null) != null
                        : mayTake(request.amount(), request.at())) {
                    return true;
                }
            }
            if (watched > wantingWithMe()) {
                watched = 0;
                count();
                return true;
            }
            return false;
        }

        @Override
        public Resources most() {
            return most;
        }

        @Override
        public @Nullable NodeRoom tryTake(Resources amount, @Nullable NodeRoom preferred) {
            synchronized (FairCapacity.this) {
                NodeRoom node = choose(amount, preferred);
                if (node == null) {
                    refuse(amount, null);
                    return null;
                }
                take(amount, node);
                return node;
            }
        }

        @Override
        public boolean tryTakeAt(Resources amount, NodeRoom node) {
            synchronized (FairCapacity.this) {
                if (tryTakeSpare(amount, node)) {
                    return true;
                }
                refuse(amount, node);
                return false;
            }
        }

        private void refuse(Resources amount, @Nullable NodeRoom at) {
            CapacityRequest request = new CapacityRequest(amount, at);
            if (!refused.contains(request)) {
                refused.add(request);
                // One more run that wants resources makes the shares of the others smaller, and so what they are
                // entitled to.
                changed(this);
            }
        }

        @Override
        public boolean tryTakeSpare(Resources amount, NodeRoom node) {
            synchronized (FairCapacity.this) {
                if (!mayTake(amount, node)) {
                    return false;
                }
                take(amount, node);
                return true;
            }
        }

        @Override
        public boolean mayTake(Resources amount) {
            synchronized (FairCapacity.this) {
                return choose(amount, null) != null;
            }
        }

        private void take(Resources amount, NodeRoom node) {
            node.take(amount);
            if (node != driver) {
                used = used.plus(amount);
                mine = mine.plus(amount);
            }
            holds++;
            changed(this);
        }

        /// The node to take the amount from; null if it may not be taken from any.
        private @Nullable NodeRoom choose(Resources amount, @Nullable NodeRoom preferred) {
            List<NodeRoom> all = nodes;
            if (!used.plus(amount).fitsIn(total) || !isWithinOwnLimit(amount)) {
                return null;
            }
            boolean entitled = parts.size() == 1 || isEntitledTo(amount);
            NodeRoom best = null;
            for (int i = 0; i < all.size(); i++) {
                NodeRoom node = all.get(i);
                boolean better = node == preferred || best == null || node.isFreerThan(best);
                if (better && node.has(amount) && (entitled || !isOwedToAnother(amount, node))) {
                    if (node == preferred) {
                        return node;
                    }
                    best = node;
                }
            }
            return best;
        }

        private boolean mayTake(Resources amount, NodeRoom node) {
            return !node.isLost()
                    && node.has(amount)
                    && (node == driver
                            || used.plus(amount).fitsIn(total)
                                    && isWithinOwnLimit(amount)
                                    && (parts.size() == 1 || isEntitledTo(amount) || !isOwedToAnother(amount, node)));
        }

        /// Within its fair share, or its first amount of that resource.
        private boolean isEntitledTo(Resources amount) {
            return isWithinOwnLimit(amount)
                    && (mine.sharesNothingWith(amount)
                            || mine.onlyThoseOf(amount).plus(amount).fitsIn(fairShare()));
        }

        private boolean isWithinOwnLimit(Resources amount) {
            return mine.plus(amount).fitsIn(most);
        }

        /// True if another run waits for this kind of resource, is entitled to it, and could have it on this node. CPUs
        /// are released continually, so they are kept for a run that needs several at once; other resources may stay
        /// with an actor for as long as it lives.
        private boolean isOwedToAnother(Resources amount, NodeRoom node) {
            for (int i = 0; i < parts.size(); i++) {
                RunShare other = parts.get(i);
                if (other == this) {
                    continue;
                }
                for (int k = 0; k < other.refused.size(); k++) {
                    CapacityRequest waits = other.refused.get(k);
                    if ((waits.at() == null || waits.at() == node)
                            && !waits.amount().sharesNothingWith(amount)
                            && node.mayHave(waits.amount())
                            && other.isEntitledTo(waits.amount())
                            && used.plus(waits.amount().withoutCpus()).fitsIn(total)) {
                        return true;
                    }
                }
            }
            return false;
        }

        @Override
        public @Nullable NodeRoom visit(@Nullable NodeRoom preferred) {
            synchronized (FairCapacity.this) {
                NodeRoom best = preferred == null || preferred.isLost() ? null : preferred;
                for (int i = 0; i < nodes.size() && (best == null || best != preferred); i++) {
                    best = best == null || nodes.get(i).isFreerThan(best) ? nodes.get(i) : best;
                }
                if (best != null) {
                    best.guests(1);
                }
                return best;
            }
        }

        @Override
        public void leave(NodeRoom node) {
            synchronized (FairCapacity.this) {
                node.guests(-1);
            }
        }

        @Override
        public void giveBack(Resources amount, NodeRoom node) {
            synchronized (FairCapacity.this) {
                node.giveBack(amount);
                if (node != driver) {
                    used = node.isLost() ? used : used.minus(amount);
                    mine = mine.minus(amount);
                }
                holds--;
                changed(this);
            }
        }

        @Override
        public void waitsFor(Collection<CapacityRequest> still) {
            synchronized (FairCapacity.this) {
                if (!refused.isEmpty() && refused.retainAll(still)) {
                    changed(this);
                }
            }
        }

        private int wantingWithMe() {
            return wanting + (counted ? 0 : 1);
        }

        @Override
        public double part() {
            synchronized (FairCapacity.this) {
                return 1.0 / wantingWithMe();
            }
        }

        @Override
        public void watchPart() {
            synchronized (FairCapacity.this) {
                watched = wantingWithMe();
                count();
            }
        }

        @Override
        public Resources fairShare() {
            double part = part();
            return part == 1 ? total : total.times(part);
        }

        @Override
        public void close() {
            synchronized (FairCapacity.this) {
                if (closed) {
                    return;
                }
                closed = true;
                parts.remove(this);
                refused.clear();
                changed(this);
                if (holds > 0) {
                    used = used.minus(mine);
                    throw MillraceException.internal("run '" + name + "' ended while it held " + mine);
                }
            }
        }
    }
}
