package dev.millrace.internal.plan.physical;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.internal.exchange.ReduceAssignment;
import dev.millrace.internal.exchange.ShardMaker;
import dev.millrace.internal.exchange.ShuffleReducer;
import dev.millrace.internal.transform.ChainSpec;
import dev.millrace.internal.transform.VerbSite;
import dev.millrace.relation.MixStop;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.source.Source;
import dev.millrace.source.SplitRequest;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// An operator of the physical plan.
public sealed interface PhysicalPlan {
    /// Its name in stats and progress.
    String name();

    List<PhysicalPlan> inputs();

    /// One task per split: read, then the fused steps.
    ///
    /// @param totalRows output rows, if known before the run (for progress)
    record Read(
            String name,
            Source source,
            SplitRequest request,
            ChainSpec chain,
            Resources resources,
            int maxConcurrency,
            OptionalLong totalRows)
            implements PhysicalPlan {
        public Read withSource(Source other) {
            return new Read(name, other, request, chain, resources, maxConcurrency, totalRows);
        }

        public Read withRequest(SplitRequest other) {
            return new Read(name, source, other, chain, resources, maxConcurrency, totalRows);
        }

        /// The same with another chain, whose name it takes.
        Read withChain(ChainSpec other) {
            return new Read(other.operator(), source, request, other, resources, maxConcurrency, totalRows);
        }

        public Read withTotalRows(OptionalLong other) {
            return new Read(name, source, request, chain, resources, maxConcurrency, other);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of();
        }
    }

    /// Existing blocks.
    record Blocks(String name, List<BlockSlice> blocks) implements PhysicalPlan {
        @Override
        public List<PhysicalPlan> inputs() {
            return List.of();
        }
    }

    /// The fused steps over input blocks, as tasks or in a pool of actors.
    ///
    /// @param bundleRows blocks are collected until they have this many rows before they make a task (0: each block
    ///     is a task); the rows of a larger bundle stay together
    record Map(
            String name,
            PhysicalPlan input,
            ChainSpec chain,
            Compute.Strategy strategy,
            Resources resources,
            long bundleRows)
            implements PhysicalPlan {
        public Map withInput(PhysicalPlan other) {
            return new Map(name, other, chain, strategy, resources, bundleRows);
        }

        /// The same with another chain, whose name it takes.
        Map withChain(ChainSpec other) {
            return new Map(other.operator(), input, other, strategy, resources, bundleRows);
        }

        public Map withResources(Resources other) {
            return new Map(name, input, chain, strategy, other, bundleRows);
        }

        public Map withBundleRows(long other) {
            return new Map(name, input, chain, strategy, resources, other);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }
    }

    /// Cuts the stream by rows without a task; stops its input when the limit is reached.
    record Limit(String name, PhysicalPlan input, long offset, long rows) implements PhysicalPlan {
        Limit withInput(PhysicalPlan newInput) {
            return new Limit(name, newInput, offset, rows);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }
    }

    /// All of the first input, then all of the second, and so on; in any order if order is not kept.
    record Union(String name, List<PhysicalPlan> inputs) implements PhysicalPlan {
        public Union {
            inputs = List.copyOf(inputs);
        }
    }

    /// Pairs rows by position: each task gets slices of equal row counts from both sides.
    ///
    /// @param site the user's line
    record Zip(String name, PhysicalPlan left, PhysicalPlan right, ChainSpec chain, Resources resources, String site)
            implements PhysicalPlan {
        /// For errors.
        public VerbSite verb() {
            return new VerbSite("zip", site);
        }

        /// The same with another chain, whose name it takes.
        Zip withChain(ChainSpec other) {
            return new Zip(other.operator(), left, right, other, resources, site);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(left, right);
        }
    }

    /// Mixes the rows of its inputs by weights, as they arrive.
    ///
    /// @param site the user's line
    record Mix(
            String name,
            List<PhysicalPlan> inputs,
            List<Double> weights,
            MixStop stop,
            Resources resources,
            long targetBytes,
            String site)
            implements PhysicalPlan {
        public Mix {
            inputs = List.copyOf(inputs);
            weights = List.copyOf(weights);
        }

        /// For errors.
        public VerbSite verb() {
            return new VerbSite("mix", site);
        }
    }

    /// A shuffle: map tasks make shards of each side, and when all have ended, reduce tasks process them part by part.
    ///
    /// @param targetBytes the approximate maximum of a map task's bundle and of a part
    /// @param mostBytes up to this, rows that belong together may be one block
    /// @param minBytes parts are not made smaller than this to have more of them
    /// @param parallelism the desired number of parts, if that does not make them too small
    /// @param broadcast the alternative if one of two sides is small; null for none
    /// @param tail the steps fused into the reduce tasks; null for none
    /// @param site the user's line
    record Exchange(
            String name,
            List<Side> sides,
            ReduceAssignment assignment,
            ShuffleReducer reducer,
            Resources resources,
            long targetBytes,
            long mostBytes,
            long minBytes,
            int parallelism,
            @Nullable Broadcast broadcast,
            @Nullable ChainSpec tail,
            String site)
            implements PhysicalPlan {
        public Exchange {
            sides = List.copyOf(sides);
        }

        public Exchange(
                String name,
                List<Side> sides,
                ReduceAssignment assignment,
                ShuffleReducer reducer,
                Resources resources,
                long targetBytes,
                long mostBytes,
                long minBytes,
                int parallelism,
                String site) {
            this(
                    name,
                    sides,
                    assignment,
                    reducer,
                    resources,
                    targetBytes,
                    mostBytes,
                    minBytes,
                    parallelism,
                    null,
                    null,
                    site);
        }

        /// For errors of its tasks.
        public VerbSite verb() {
            return new VerbSite(name, site);
        }

        Exchange withBroadcast(@Nullable Broadcast other) {
            return new Exchange(
                    name,
                    sides,
                    assignment,
                    reducer,
                    resources,
                    targetBytes,
                    mostBytes,
                    minBytes,
                    parallelism,
                    other,
                    tail,
                    site);
        }

        Exchange withReducer(ShuffleReducer other) {
            return new Exchange(
                    name,
                    sides,
                    assignment,
                    other,
                    resources,
                    targetBytes,
                    mostBytes,
                    minBytes,
                    parallelism,
                    broadcast,
                    tail,
                    site);
        }

        /// The name of the reduce tasks.
        public String reduceName() {
            return tail == null ? name : tail.operator();
        }

        Exchange withTail(ChainSpec other) {
            return new Exchange(
                    name,
                    sides,
                    assignment,
                    reducer,
                    resources,
                    targetBytes,
                    mostBytes,
                    minBytes,
                    parallelism,
                    broadcast,
                    other,
                    site);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return sides.stream().map(Side::input).toList();
        }
    }

    /// One input of an exchange.
    ///
    /// @param maker makes its shards; null: its blocks go to the reduce tasks unchanged
    record Side(PhysicalPlan input, @Nullable ShardMaker maker) {}

    /// The alternative of an exchange of two sides if one of them has arrived completely and is small: one task builds
    /// something from all its blocks (the hash table of a join), which is broadcast to every task of the other side
    /// with the blocks that it reduces.
    ///
    /// @param side the one that may be small
    /// @param mostBytes its maximum size for that
    /// @param rowBytes the minimum size of a row of it, for that check
    /// @param lastReducer of a last task, which gets what was built and what all others reported
    ///     ([dev.millrace.internal.exchange.LastTaskInput]); null for none
    record Broadcast(
            int side,
            long mostBytes,
            long rowBytes,
            ShardMaker maker,
            ShuffleReducer reducer,
            @Nullable ShuffleReducer lastReducer) {
        Broadcast withMaker(ShardMaker other) {
            return new Broadcast(side, mostBytes, rowBytes, other, reducer, lastReducer);
        }
    }

    /// All blocks in random order, once the last one has arrived.
    record BlockOrder(String name, PhysicalPlan input, long seed) implements PhysicalPlan {
        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }
    }

    /// Blocks of `rows` rows: larger ones are cut, and if `exact`, smaller ones are concatenated.
    ///
    /// @param site the user's line
    record Rows(
            String name,
            PhysicalPlan input,
            long rows,
            boolean exact,
            Resources resources,
            long targetBytes,
            String site)
            implements PhysicalPlan {
        /// For errors.
        public VerbSite verb() {
            return new VerbSite(name, site);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }
    }
}
