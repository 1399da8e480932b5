package dev.millrace.internal.operator;

import dev.millrace.compute.Compute;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The running operators of a plan, in the order of the data flow, ending in an [OutputOperator].
public final class OperatorPipeline {
    private final List<RunningOperator> all = new ArrayList<>();
    private final List<TaskOperator> tasks = new ArrayList<>();
    private final OutputOperator output;

    /// The collaborators of operators.
    ///
    /// @param account of the run; each operator with tasks opens a child of it
    /// @param ids of actors
    /// @param splitPulls runs a source's listing
    /// @param onSplits notifies the loop that a listing has new splits
    public record Parts(
            OperatorHost host,
            ProgramFactory programs,
            Allocator account,
            LongSupplier ids,
            Executor splitPulls,
            Runnable onSplits) {}

    public OperatorPipeline(PhysicalPlan plan, Parts parts, List<BlockOutlet> outlets, boolean equal) {
        RunningOperator last = build(plan, parts);
        this.output = new OutputOperator(
                outlets, equal, parts.host.settings().execution().prefetchBlocks());
        output.connect(last);
        all.add(output);
        for (int i = 0; i < tasks.size(); i++) {
            tasks.get(i).place(i);
        }
    }

    /// An outlet for one consumer of a pipeline.
    ///
    /// @param consumerAccount the account that is charged for a block once the consumer has it
    /// @param onTaken called when the consumer requests or takes a block
    public static BlockOutlet outlet(Allocator consumerAccount, Runnable onTaken) {
        return new BlockOutlet(consumerAccount, onTaken);
    }

    private RunningOperator build(PhysicalPlan plan, Parts parts) {
        List<RunningOperator> inputs = new ArrayList<>();
        for (PhysicalPlan input : plan.inputs()) {
            inputs.add(build(input, parts));
        }
        boolean ordered = parts.host.settings().execution().preserveOrder();
        RunningOperator operator = switch (plan) {
            case PhysicalPlan.Read read ->
                new ReadOperator(
                        read, parts.host, parts.programs, account(plan, parts), parts.splitPulls, parts.onSplits);
            case PhysicalPlan.Blocks blocks -> new BlocksOperator(blocks, parts.host);
            case PhysicalPlan.Map map ->
                new MapOperator(map, parts.host, parts.programs, pool(map, parts), account(plan, parts));
            case PhysicalPlan.Limit limit -> new LimitOperator(limit);
            case PhysicalPlan.Union union -> new UnionOperator(union, ordered);
            case PhysicalPlan.Zip zip -> new ZipOperator(zip, parts.host, parts.programs, account(plan, parts));
            case PhysicalPlan.Mix mix -> new MixOperator(mix, parts.host, parts.programs, account(plan, parts));
            case PhysicalPlan.Exchange exchange -> {
                BroadcastChoice choice = exchange.broadcast() == null ? null : new BroadcastChoice();
                inputs = shards(exchange, choice, inputs, parts);
                Allocator account = account(plan.name(), parts);
                yield choice == null
                        ? new ReduceOperator(exchange, parts.host, parts.programs, account)
                        : new BroadcastOperator(exchange, choice, parts.host, parts.programs, account);
            }
            case PhysicalPlan.BlockOrder order -> new BlockOrderOperator(order, parts.host);
            case PhysicalPlan.Rows rows
            when rows.exact() -> new JoinRowsOperator(rows, parts.host, parts.programs, account(plan.name(), parts));
            case PhysicalPlan.Rows rows -> new CutRowsOperator(rows);
        };
        inputs.forEach(operator::connect);
        all.add(operator);
        if (operator instanceof TaskOperator withTasks) {
            tasks.add(withTasks);
        }
        return operator;
    }

    /// The map side of each input that has one.
    private List<RunningOperator> shards(
            PhysicalPlan.Exchange exchange,
            @Nullable BroadcastChoice choice,
            List<RunningOperator> inputs,
            Parts parts) {
        List<RunningOperator> mapped = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            PhysicalPlan.Side side = exchange.sides().get(i);
            if (side.maker() == null) {
                mapped.add(inputs.get(i));
                continue;
            }
            Allocator account = account(exchange.name() + " map", parts);
            ShardOperator operator = choice == null || exchange.broadcast() == null
                    ? new ShardOperator(exchange, side, parts.host, parts.programs, account)
                    : i == exchange.broadcast().side()
                            ? new SmallSideOperator(exchange, side, choice, parts.host, parts.programs, account)
                            : new LargeSideOperator(exchange, side, choice, parts.host, parts.programs, account);
            operator.connect(inputs.get(i));
            all.add(operator);
            tasks.add(operator);
            mapped.add(operator);
        }
        return mapped;
    }

    private static Allocator account(PhysicalPlan plan, Parts parts) {
        return account(plan.name(), parts);
    }

    private static Allocator account(String name, Parts parts) {
        return parts.account.child(name, Patience.TASK);
    }

    private static @Nullable ActorPool pool(PhysicalPlan.Map map, Parts parts) {
        return map.strategy() instanceof Compute.Actors actors
                ? new ActorPool(actors, parts.programs.actor(map.chain()), map.resources(), parts.ids)
                : null;
    }

    /// Lets operators without dependencies begin.
    public void open() {
        // From the end: a limit of 0 rows stops its input before that begins.
        for (RunningOperator operator : all.reversed()) {
            if (!operator.isStopped()) {
                operator.open();
            }
        }
    }

    /// Allows the blocks that are queued between operators, and for consumers, to be spilled: the last resort before a
    /// request of a task is refused.
    public void maySpill() {
        all.forEach(RunningOperator::maySpill);
    }

    public List<RunningOperator> operators() {
        return all;
    }

    public List<TaskOperator> tasks() {
        return tasks;
    }

    public OutputOperator output() {
        return output;
    }
}
