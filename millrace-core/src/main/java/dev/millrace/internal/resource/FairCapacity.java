package dev.millrace.internal.resource;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// [CapacityShare] for the runs of one session. One lock; it is held for a few additions, and while waiting runs are
/// notified (which posts to their mailboxes and calls nothing back).
public final class FairCapacity implements CapacityShare {
    private final Resources total;
    private final List<RunShare> parts = new ArrayList<>();
    private Resources used = Resources.NONE;
    /// The number of runs that hold or wait for resources.
    private int wanting;
    /// The number of runs that must be notified of changes.
    private int listening;

    public FairCapacity(Resources total) {
        this.total = total;
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
    public synchronized Member join(String name, Resources most, Runnable onFreed) {
        RunShare part = new RunShare(name, most, onFreed);
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
        private final Resources most;
        private final Runnable onFreed;
        private Resources mine = Resources.NONE;
        /// The number of amounts it has taken and not given back.
        private int holds;
        /// The amounts it was refused and waits for.
        private final List<Resources> refused = new ArrayList<>(2);
        /// The number of runs that wanted resources when its fraction was found to be too small; 0 if it was not.
        private int watched;

        private boolean counted;
        private boolean listens;
        private boolean closed;

        RunShare(String name, Resources most, Runnable onFreed) {
            this.name = name;
            this.most = most;
            this.onFreed = onFreed;
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
                if (mayTake(refused.get(i))) {
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
        public boolean tryTake(Resources amount) {
            synchronized (FairCapacity.this) {
                if (tryTakeSpare(amount)) {
                    return true;
                }
                if (!refused.contains(amount)) {
                    refused.add(amount);
                    // One more run that wants resources makes the shares of the others smaller, and so what they are
                    // entitled to.
                    changed(this);
                }
                return false;
            }
        }

        @Override
        public boolean tryTakeSpare(Resources amount) {
            synchronized (FairCapacity.this) {
                if (!mayTake(amount)) {
                    return false;
                }
                used = used.plus(amount);
                mine = mine.plus(amount);
                holds++;
                changed(this);
                return true;
            }
        }

        private boolean mayTake(Resources amount) {
            return used.plus(amount).fitsIn(total)
                    && isWithinOwnLimit(amount)
                    && (parts.size() == 1 || isEntitledTo(amount) || !isOwedToAnother(amount));
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

        /// True if another run waits for this kind of resource and is entitled to it. CPUs are released continually, so
        /// they are kept for a run that needs several at once; other resources may stay with an actor for as long as it
        /// lives.
        private boolean isOwedToAnother(Resources amount) {
            for (int i = 0; i < parts.size(); i++) {
                RunShare other = parts.get(i);
                if (other == this) {
                    continue;
                }
                for (int k = 0; k < other.refused.size(); k++) {
                    Resources waits = other.refused.get(k);
                    if (!waits.sharesNothingWith(amount)
                            && other.isEntitledTo(waits)
                            && used.plus(waits.withoutCpus()).fitsIn(total)) {
                        return true;
                    }
                }
            }
            return false;
        }

        @Override
        public void giveBack(Resources amount) {
            synchronized (FairCapacity.this) {
                used = used.minus(amount);
                mine = mine.minus(amount);
                holds--;
                changed(this);
            }
        }

        @Override
        public void waitsFor(Collection<Resources> still) {
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
                used = used.minus(mine);
                refused.clear();
                changed(this);
                if (holds > 0) {
                    throw MillraceException.internal("run '" + name + "' ended while it held " + mine);
                }
            }
        }
    }
}
