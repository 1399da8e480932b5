package dev.millrace.internal.resource;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import java.util.ArrayList;
import java.util.List;

/// [CapacityShare] for the runs of one session. One lock; it is held for a few additions, and while waiting runs are
/// told (which posts to their mailboxes and calls nothing back).
public final class FairCapacity implements CapacityShare {
    private final Resources total;
    private final List<Part> parts = new ArrayList<>();
    private Resources used = Resources.NONE;

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
    public synchronized Member join(String name, Runnable onFreed) {
        Part part = new Part(name, onFreed);
        parts.add(part);
        return part;
    }

    private final class Part implements Member {
        private final String name;
        private final Runnable onFreed;
        private Resources mine = Resources.NONE;
        /// How many amounts it has taken and not given back.
        private int holds;

        private boolean waiting;
        private boolean closed;

        Part(String name, Runnable onFreed) {
            this.name = name;
            this.onFreed = onFreed;
        }

        @Override
        public boolean tryTake(Resources amount) {
            synchronized (FairCapacity.this) {
                Resources usedThen = used.plus(amount);
                if (!usedThen.fitsIn(total) || isOthersTurn(amount)) {
                    waiting = true;
                    return false;
                }
                used = usedThen;
                mine = mine.plus(amount);
                holds++;
                return true;
            }
        }

        /// True if this run would pass its fair share while another waits for its own.
        private boolean isOthersTurn(Resources amount) {
            if (parts.size() == 1) {
                return false;
            }
            Resources share = null;
            for (Part other : parts) {
                if (other != this && other.waiting) {
                    if (share == null) {
                        share = fairShare();
                        if (mine.plus(amount).fitsIn(share) || holds == 0) {
                            return false;
                        }
                    }
                    if (other.mine.fitsIn(share)) {
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
                wakeOthers();
            }
        }

        private void wakeOthers() {
            for (Part other : parts) {
                if (other != this && other.waiting) {
                    other.onFreed.run();
                }
            }
        }

        @Override
        public void settled() {
            synchronized (FairCapacity.this) {
                if (waiting) {
                    waiting = false;
                    // Someone may have been held for this run's sake.
                    wakeOthers();
                }
            }
        }

        @Override
        public double part() {
            synchronized (FairCapacity.this) {
                int wanting = 0;
                for (Part part : parts) {
                    if (part == this || part.waiting || part.holds > 0) {
                        wanting++;
                    }
                }
                return 1.0 / wanting;
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
                wakeOthers();
                if (holds > 0) {
                    throw MillraceException.internal("run '" + name + "' ended while it held " + mine);
                }
            }
        }
    }
}
