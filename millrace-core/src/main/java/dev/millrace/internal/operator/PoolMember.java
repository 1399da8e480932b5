package dev.millrace.internal.operator;

import dev.millrace.internal.resource.NodeRoom;
import dev.millrace.runtime.ActorRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One actor of an [ActorPool], which alone writes its fields. Loop thread only.
public final class PoolMember {
    private final ActorPool pool;
    private final long id;
    final NodeRoom node;
    /// The number of workers that were lost at starts before this one.
    final int lostBefore;

    @Nullable
    ActorRef ref;

    /// True from its event on.
    boolean ready;

    boolean holdsCpus;
    /// How many of its calls are paused.
    int paused;
    /// The total number of rows submitted to it.
    long rows;
    /// Those that were submitted to it and have not ended.
    final List<TaskRun> calls = new ArrayList<>(4);
    /// Those that it worked on when it was lost; null before.
    private @Nullable List<TaskRun> atWork;

    PoolMember(ActorPool pool, long id, NodeRoom node, int lostBefore) {
        this.pool = pool;
        this.id = id;
        this.node = node;
        this.lostBefore = lostBefore;
    }

    public ActorPool pool() {
        return pool;
    }

    public long id() {
        return id;
    }

    public @Nullable ActorRef ref() {
        return ref;
    }

    /// Where it runs.
    public NodeRoom node() {
        return node;
    }

    /// Whether one of its calls computes, as far as is known.
    ///
    /// @param concurrency how many it works on at once
    boolean computes(int concurrency) {
        return calls.size() > paused && paused < concurrency;
    }

    /// The number of its calls that compute.
    int computing(int concurrency) {
        return Math.max(0, Math.min(calls.size(), concurrency) - paused);
    }

    /// Whether the call was computing when this actor was lost; to be asked for the first of its calls before any of
    /// them leaves.
    boolean wasAtWork(TaskRun lost, int concurrency) {
        if (atWork == null) {
            atWork = List.copyOf(calls.subList(0, Math.min(calls.size(), concurrency)));
        }
        return !lost.isPaused() && atWork.contains(lost);
    }

    /// By calls; of equally busy ones the one that is where the input is, then the one that has had the fewest rows.
    boolean isLessBusy(PoolMember than, @Nullable NodeRoom preferred) {
        int more = calls.size() - than.calls.size();
        if (more != 0) {
            return more < 0;
        }
        boolean near = node == preferred;
        return near != (than.node == preferred) ? near : rows < than.rows;
    }

    /// A paused call; null if there is none.
    @Nullable
    TaskRun pausedCall() {
        for (TaskRun call : calls) {
            if (call.isPaused()) {
                return call;
            }
        }
        return null;
    }
}
