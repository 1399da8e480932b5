package dev.millrace.internal.engine;

import dev.millrace.memory.Allocator;
import dev.millrace.runtime.TaskEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The event queue of the loop thread: events in the order of their posting, and signals, which request a check and
/// count once however often they are sent. Any thread posts; only the loop takes, a batch at a time.
final class EventMailbox {
    static final int DEMAND = 1;
    static final int CAPACITY = 2;
    static final int SPLITS = 4;
    static final int CLOSE = 8;
    static final int STATS = 16;
    static final int MEMORY = 32;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private List<TaskEvent> posted = new ArrayList<>();
    private List<TaskEvent> spare = new ArrayList<>();
    private int signals;
    private boolean waiting;
    /// Notified when the loop has events to process, and when it has none; between [#open] and [#close].
    private final Allocator memory;

    /// True while the loop waits in [#take]; not changed any more after the loop has ended.
    private boolean quiet;

    /// @param memory the session's account
    EventMailbox(Allocator memory) {
        this.memory = memory;
    }

    /// The loop begins.
    void open() {
        memory.admission().loopIsActive();
    }

    /// The loop has ended: later events are ignored.
    void close() {
        memory.admission().loopIsQuiet();
    }

    void post(TaskEvent event) {
        lock.lock();
        try {
            posted.add(event);
            wake();
        } finally {
            lock.unlock();
        }
    }

    void signal(int signal) {
        lock.lock();
        try {
            signals |= signal;
            wake();
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        becomeActive();
        if (waiting) {
            waiting = false;
            arrived.signal();
        }
    }

    /// What arrived since the last call; valid until the next one.
    ///
    /// @param signals the bits of all signals sent
    record Batch(List<TaskEvent> events, int signals) {}

    /// Called with the lock held.
    private void becomeActive() {
        if (quiet) {
            quiet = false;
            memory.admission().loopIsActive();
        }
    }

    /// If the mailbox is empty, tells the memory line that waiting requests need not wait for this loop. Called without
    /// the lock, since it wakes them.
    private void becomeQuiet() {
        lock.lock();
        try {
            if (!posted.isEmpty() || signals != 0) {
                return;
            }
            quiet = true;
        } finally {
            lock.unlock();
        }
        memory.admission().loopIsQuiet();
    }

    /// Waits until an event or signal arrives or `nanos` have passed.
    ///
    /// @param idle no task computes, as far as the loop knows
    Batch take(long nanos, boolean idle) {
        if (idle) {
            becomeQuiet();
        }
        lock.lock();
        try {
            long left = nanos;
            while (posted.isEmpty() && signals == 0 && left > 0) {
                waiting = true;
                left = arrived.awaitNanos(left);
            }
            waiting = false;
            becomeActive();
            spare.clear();
            Batch batch = new Batch(posted, signals);
            posted = spare;
            spare = batch.events;
            signals = 0;
            return batch;
        } catch (InterruptedException e) {
            // Nobody interrupts the loop on purpose; whatever the cause, there is nothing to end early here.
            becomeActive();
            return new Batch(List.of(), 0);
        } finally {
            lock.unlock();
        }
    }
}
