package dev.millrace.internal.cluster.worker;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Patience;
import dev.millrace.runtime.TaskSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// The accounts of one driver's tasks in a worker: one for each run, and below it one for each stage, so that tasks
/// wait for memory in the order of the data flow. An account is there while a task or a block needs it. Thread-safe.
final class StageAccounts {
    private final Allocator root;
    private final String session;
    private final Map<Long, RunAccount> runs = new HashMap<>();

    /// @param root of the worker's memory
    StageAccounts(Allocator root, String session) {
        this.root = root;
        this.session = session;
    }

    private static final class RunAccount {
        private final Allocator account;
        private final Map<TaskSpec.Stage, StageAccount> stages = new HashMap<>();

        RunAccount(Allocator account) {
            this.account = account;
        }
    }

    private static final class StageAccount {
        private final Allocator account;
        private int tasks;

        StageAccount(Allocator account) {
            this.account = account;
        }
    }

    /// The account of a task of that stage, which begins.
    synchronized Allocator enter(TaskSpec.Stage stage) {
        RunAccount run = runs.computeIfAbsent(
                stage.run(), number -> new RunAccount(root.child("run " + number + " of " + session, Patience.TASK)));
        StageAccount at = run.stages.computeIfAbsent(stage, each -> {
            Allocator account = run.account.child("stage " + each.position());
            account.stage(each.position(), each.feedsOutput());
            return new StageAccount(account);
        });
        at.tasks++;
        return at.account;
    }

    /// A task of that stage has ended.
    synchronized void leave(TaskSpec.Stage stage) {
        RunAccount run = Objects.requireNonNull(runs.get(stage.run()), "a task that ends has begun");
        Objects.requireNonNull(run.stages.get(stage), "a task that ends has begun").tasks--;
    }

    /// Closes the accounts that nothing uses.
    synchronized void closeUnused() {
        runs.values().removeIf(run -> {
            run.stages.values().removeIf(stage -> {
                boolean unused = stage.tasks == 0 && stage.account.heldBytes() == 0;
                if (unused) {
                    stage.account.close();
                }
                return unused;
            });
            boolean unused = run.stages.isEmpty() && run.account.heldBytes() == 0;
            if (unused) {
                run.account.close();
            }
            return unused;
        });
    }

    /// What is still held at the end, as sentences; empty if nothing is.
    synchronized String close() {
        closeUnused();
        StringBuilder left = new StringBuilder();
        runs.values().forEach(run -> {
            run.stages.values().forEach(stage -> close(stage.account, left));
            close(run.account, left);
        });
        runs.clear();
        return left.toString();
    }

    private static void close(Allocator account, StringBuilder left) {
        try {
            account.close();
        } catch (IllegalStateException leak) {
            left.append(leak.getMessage()).append('\n');
        }
    }
}
