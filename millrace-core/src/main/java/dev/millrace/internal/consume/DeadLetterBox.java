package dev.millrace.internal.consume;

import dev.millrace.block.Blocks;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.engine.PlanRun;
import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;
import dev.millrace.internal.plan.logical.ShufflePlan;
import dev.millrace.internal.transform.DeadLetters;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/// The failed rows, by the name of their policy, of the latest run with a policy of that name. Held until the next such
/// run, or the end of the session. Thread-safe: `this` guards the map.
public final class DeadLetterBox {
    private final SessionExecutions executions;
    private final Map<String, HeldBlocks> latest = new HashMap<>();

    DeadLetterBox(SessionExecutions executions) {
        this.executions = executions;
    }

    /// The names in a plan, sorted.
    public static Set<String> names(LogicalPlan plan) {
        Set<String> names = new TreeSet<>();
        PlanRewrite.visit(plan, node -> collect(node, names));
        return names;
    }

    private static void collect(LogicalPlan plan, Set<String> names) {
        ErrorPolicy policy = switch (plan) {
            case LogicalPlan.TransformRows rows -> rows.compute().onError();
            case LogicalPlan.TransformBatches batches -> batches.compute().onError();
            case GroupPlan.MapGroups groups -> groups.compute().onError();
            case LogicalPlan.Read read -> read.onError();
            case LogicalPlan.Filter filter -> filter.onError();
            case LogicalPlan.Download download -> download.options().onError();
            case LogicalPlan.Project project -> project.onError();
            case LogicalPlan.Blocks _,
                    LogicalPlan.Limit _,
                    LogicalPlan.Sample _,
                    GroupPlan.GroupBy _,
                    GroupPlan.Distinct _,
                    GroupPlan.Pivot _,
                    LogicalPlan.Unpivot _,
                    LogicalPlan.TopRows _,
                    LogicalPlan.Windowed _,
                    ShufflePlan _,
                    LogicalPlan.Explode _,
                    LogicalPlan.Union _,
                    LogicalPlan.Mix _,
                    LogicalPlan.Zip _,
                    LogicalPlan.Joined _,
                    LogicalPlan.Write _ -> ErrorPolicy.fail();
        };
        if (policy.deadLetters() != null) {
            names.add(policy.deadLetters());
        }
    }

    /// Takes over the dead letters of a closed run.
    ///
    /// @param names of its plan; if nothing failed, the letters have no rows
    /// @param look gets them before they are kept
    /// @return whether they were taken now: this is the end of the run, for all of its consumers
    boolean collect(PlanRun run, Set<String> names, Consumer<Map<String, List<BlockSlice>>> look) {
        Optional<List<BlockRef>> asides = run.takeAsides();
        asides.ifPresent(blocks -> {
            Map<String, List<BlockSlice>> byName = new HashMap<>();
            names.forEach(name -> byName.put(name, new ArrayList<>()));
            for (BlockRef block : blocks) {
                byName.computeIfAbsent(block.metadata().aside(), _ -> new ArrayList<>())
                        .add(BlockSlice.whole(block));
            }
            look.accept(byName);
            byName.forEach(this::replace);
        });
        return asides.isPresent();
    }

    private void replace(String name, List<BlockSlice> letters) {
        HeldBlocks old;
        synchronized (this) {
            if (executions.isClosed()) {
                letters.forEach(BlockSlice::release);
                return;
            }
            old = latest.put(name, executions.keep(letters));
        }
        if (old != null) {
            old.close();
        }
    }

    /// The letters of these names, with additional references to their blocks; at least one block, so that there is a
    /// schema.
    public synchronized HeldBlocks letters(Iterable<String> names) {
        List<BlockSlice> all = new ArrayList<>();
        for (String name : names) {
            HeldBlocks held = latest.get(name);
            if (held == null) {
                all.forEach(BlockSlice::release);
                throw MillraceException.user("There are no dead letters named '" + name + "': no run has ended in this"
                        + " session whose error policy has that name"
                        + (latest.isEmpty() ? "." : ". There are " + new TreeSet<>(latest.keySet()) + "."));
            }
            for (BlockSlice slice : held.slices()) {
                all.add(slice.slice(0, slice.rows()));
            }
        }
        if (all.isEmpty()) {
            all.add(BlockSlice.whole(executions.runtime().put(Blocks.empty(DeadLetters.SCHEMA))));
        }
        return executions.keep(all);
    }
}
