package dev.millrace.internal.plan.physical;

import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.Resources;
import dev.millrace.internal.transform.BatchFit;
import dev.millrace.internal.transform.BatchStep;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.internal.transform.ChainSpec;
import dev.millrace.internal.transform.LimitStep;
import dev.millrace.internal.transform.TransformStep;
import dev.millrace.settings.BlockSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Decides, in one place, which steps are fused into one task.
///
/// - A step without compute of its own (filter, projection, sample, explode by expression) is fused with whatever
///   produces its input: a read, a map, a pool of actors, a zip, the tasks after an exchange.
/// - A user's function is fused with a read or a map of tasks with the same concurrency cap and the same resources.
/// - A function is fused with a read of a requested number of blocks only if the source has that many splits. Otherwise
///   the rows of a split are divided after reading, and the function runs in one task per block.
/// - A function with a batch size is fused with a read only if the splits are known to be at least that large:
///   otherwise small blocks are bundled to the batch size first, which needs an operator of its own.
/// - A function over groups is fused with the reduce tasks that bring the groups together, if it has their resources.
/// - Actors are never fused with their input: a model's thread is not for decoding.
/// - A limit, a union and existing blocks have no task to fuse with.
final class OperatorFusion {
    /// What a step needs to run.
    ///
    /// @param strategy null: no compute of its own
    /// @param batchRows requested rows per batch, 0 if none
    record Need(Compute.@Nullable Strategy strategy, Resources resources, long batchRows) {
        static final Need NOTHING = new Need(null, Resources.NONE, 0);

        boolean isFree() {
            return strategy == null;
        }
    }

    private static final Compute.Tasks UNLIMITED = new Compute.Tasks(Integer.MAX_VALUE);

    private final BlockSettings blocks;
    private final long batchBytes;
    private final double cpus;

    /// @param batchBytes the maximum result of one batch of a function
    /// @param cpus that splits are for: each has work only if there are enough splits
    OperatorFusion(BlockSettings blocks, long batchBytes, double cpus) {
        this.blocks = blocks;
        this.batchBytes = batchBytes;
        this.cpus = cpus;
    }

    /// The input with the step fused into its tasks if possible, else a new operator over the input.
    ///
    /// @param site the user's line of the step
    PhysicalPlan append(PhysicalPlan input, TransformStep step, Need need, String site) {
        return switch (input) {
            case PhysicalPlan.Read read
            when joins(read, need) -> {
                PhysicalPlan.Read longer = read.withChain(extend(read.chain(), step, site));
                yield step.keepsRowCount() ? longer : longer.withTotalRows(OptionalLong.empty());
            }
            case PhysicalPlan.Map map
            when joins(map, need) ->
                map.withChain(extend(map.chain(), step, site))
                        .withBundleRows(Math.max(map.bundleRows(), need.batchRows()));
            case PhysicalPlan.Zip zip when need.isFree() -> zip.withChain(extend(zip.chain(), step, site));
            case PhysicalPlan.Exchange exchange
            when need.isFree() ->
                exchange.withTail(
                        extend(exchange.tail() == null ? emptyChain(exchange.name()) : exchange.tail(), step, site));
            // Nodes without a task to fuse with, or without one that fits.
            default -> newMap(input, step, need, site);
        };
    }

    /// The exchange with a function over the groups that it brought together: in its reduce tasks if these have the
    /// function's resources, else an operator of its own.
    PhysicalPlan appendGroups(PhysicalPlan.Exchange exchange, TransformStep step, Need need, String site) {
        boolean joins = UNLIMITED.equals(need.strategy()) && need.resources().equals(exchange.resources());
        return joins ? append(exchange, step, Need.NOTHING, site) : newMap(exchange, step, need, site);
    }

    /// Whether steps without compute of their own are fused into the tasks of this operator.
    static boolean hasTasks(PhysicalPlan plan) {
        return switch (plan) {
            case PhysicalPlan.Read _, PhysicalPlan.Map _, PhysicalPlan.Zip _, PhysicalPlan.Exchange _ -> true;
            case PhysicalPlan.Blocks _,
                    PhysicalPlan.Limit _,
                    PhysicalPlan.Union _,
                    PhysicalPlan.Mix _,
                    PhysicalPlan.BlockOrder _,
                    PhysicalPlan.Rows _ -> false;
        };
    }

    /// An operator without steps yet has its own name only.
    ChainSpec emptyChain(String name) {
        return chain(name, List.of(), CallSite.UNKNOWN);
    }

    private static boolean joins(PhysicalPlan.Read read, Need need) {
        return need.isFree()
                || need.strategy() instanceof Compute.Tasks(int cap)
                        && cap == read.maxConcurrency()
                        && need.resources().equals(read.resources())
                        && !mayBeDivided(read)
                        && splitsHold(read, need.batchRows());
    }

    private static boolean mayBeDivided(PhysicalPlan.Read read) {
        return read.request().exact()
                && !read.source().isLocal()
                && !read.source().hasSplits(read.request().parallelism());
    }

    private static boolean splitsHold(PhysicalPlan.Read read, long batchRows) {
        return batchRows <= 1
                || read.source().rows().isPresent()
                        && read.source().rows().getAsLong()
                                        / Math.max(1, read.request().parallelism())
                                >= batchRows;
    }

    private static boolean joins(PhysicalPlan.Map map, Need need) {
        return need.isFree()
                || need.strategy() instanceof Compute.Tasks
                        && need.strategy().equals(map.strategy())
                        && need.resources().equals(map.resources());
    }

    /// An operator of its own for the step.
    PhysicalPlan newMap(PhysicalPlan input, TransformStep step, Need need, String site) {
        ChainSpec chain = chain(step.name(), List.of(step), site);
        return new PhysicalPlan.Map(
                step.name(),
                need.strategy() instanceof Compute.Actors ? inBatches(input, need.batchRows()) : input,
                chain,
                need.strategy() == null ? UNLIMITED : need.strategy(),
                need.isFree() ? Resources.cpus(1) : need.resources(),
                need.batchRows());
    }

    /// The same for a consumer that cuts batches: they are blocks as they are, if each row passes that is read. A
    /// function over batches is expected to return as many rows as it gets; if it does not, blocks are put together.
    PhysicalPlan forConsumer(PhysicalPlan output, long batchRows) {
        PhysicalPlan first = output instanceof PhysicalPlan.Limit limit ? limit.input() : output;
        return first instanceof PhysicalPlan.Read read
                        && read.chain().steps().stream().allMatch(OperatorFusion::mayKeepRows)
                ? inBatches(output, batchRows)
                : output;
    }

    private static boolean mayKeepRows(TransformStep step) {
        return step.keepsRowCount() || step instanceof BatchStep || step instanceof LimitStep;
    }

    /// Reads that feed actors with batches make blocks of as many rows as a batch, if the source can: then a batch is a
    /// block, and not a copy of several that is made while the actor waits. If there would not be two splits for each
    /// CPU, blocks have fewer rows, a divisor of the batch. A limit in between cuts its input, so the read below it is
    /// shaped for the rows that pass.
    private PhysicalPlan inBatches(PhysicalPlan input, long batchRows) {
        return batchRows < 2 ? input : inBatches(input, batchRows, Long.MAX_VALUE);
    }

    private PhysicalPlan inBatches(PhysicalPlan input, long batchRows, long passing) {
        return switch (input) {
            case PhysicalPlan.Limit limit ->
                limit.withInput(inBatches(limit.input(), batchRows, Math.min(passing, limit.rows())));
            case PhysicalPlan.Read read
            when !read.request().exact() ->
                read.withRequest(read.request().withRows(rowsOfBlock(read, batchRows, passing)));
            default -> input;
        };
    }

    private long rowsOfBlock(PhysicalPlan.Read read, long batchRows, long passing) {
        long rows = Math.min(read.source().rows().orElse(Long.MAX_VALUE), passing);
        long most = (long) (rows / Math.max(1, 2 * cpus));
        long parts = 1;
        while (parts < batchRows && (batchRows % parts != 0 || batchRows / parts > most)) {
            parts++;
        }
        return batchRows / parts;
    }

    private ChainSpec chain(String name, List<TransformStep> steps, String site) {
        return new ChainSpec(
                name,
                steps,
                blocks.targetBytes(),
                blocks.chunkBytes(),
                ErrorPolicy.fail(),
                CallSite.UNKNOWN,
                site,
                new BatchFit(batchBytes));
    }

    private static ChainSpec extend(ChainSpec chain, TransformStep step, String site) {
        List<TransformStep> steps = new ArrayList<>(chain.steps());
        Optional<TransformStep> merged =
                steps.isEmpty() ? Optional.empty() : steps.getLast().mergeWith(step);
        if (merged.isPresent()) {
            steps.removeLast();
        }
        steps.add(merged.orElse(step));
        return chain.withSteps(chain.operator() + " -> " + step.name(), steps, site);
    }
}
