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

/// An operator of the plan that runs.
public sealed interface PhysicalPlan {
    /// What stats and progress call it.
    String name();

    List<PhysicalPlan> inputs();

    /// One task per split: read, then the fused steps.
    ///
    /// @param totalRows output rows, where known before the run (for progress)
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

        /// Another chain in its tasks, whose name it takes.
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

    /// Blocks that are there already.
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

        /// Another chain in its tasks, whose name it takes.
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

    /// Cuts the stream by rows without a task; stops its input when it is full.
    record Limit(String name, PhysicalPlan input, long offset, long rows) implements PhysicalPlan {
        Limit withInput(PhysicalPlan newInput) {
            return new Limit(name, newInput, offset, rows);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }
    }

    /// All of the first input, then all of the second, and so on; in any order where order is not kept.
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

        /// Another chain in its tasks, whose name it takes.
        Zip withChain(ChainSpec other) {
            return new Zip(other.operator(), left, right, other, resources, site);
        }

        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(left, right);
        }
    }

    /// Mixes the rows of its inputs by weights, as they come.
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

    /// A shuffle: tasks make shards of each side, and when all have ended, tasks reduce them part by part.
    ///
    /// @param targetBytes what a bundle of a map task and a part have at most, about
    /// @param mostBytes up to this, rows that belong together may be one block
    /// @param minBytes below this, parts are not made smaller to have more of them
    /// @param parallelism how many parts there should be, if that does not make them too small
    /// @param broadcast what may be done instead where one of two sides is small; null for nothing
    /// @param tail what the tasks that reduce do with their output; null for nothing
    /// @param site the user's line
    record Exchange(
            String name,
            List<Side> sides,
            ReduceAssignment division,
            ShuffleReducer reducer,
            Resources resources,
            long targetBytes,
            long mostBytes,
            long minBytes,
            int parallelism,
            Broadcast broadcast,
            ChainSpec tail,
            String site)
            implements PhysicalPlan {
        public Exchange {
            sides = List.copyOf(sides);
        }

        public Exchange(
                String name,
                List<Side> sides,
                ReduceAssignment division,
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
                    division,
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

        Exchange withBroadcast(Broadcast other) {
            return new Exchange(
                    name,
                    sides,
                    division,
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
                    division,
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

        /// What the tasks are called that reduce.
        public String reduceName() {
            return tail == null ? name : tail.operator();
        }

        Exchange withTail(ChainSpec other) {
            return new Exchange(
                    name,
                    sides,
                    division,
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
    /// @param maker makes its shards; null: its blocks go to the reduce tasks as they are
    record Side(PhysicalPlan input, ShardMaker maker) {}

    /// How an exchange of two sides goes on when all of one of them has come and it is small: one task makes something
    /// of all its blocks, which every task of the other side gets with the blocks that it reduces.
    ///
    /// @param side the one that may be small
    /// @param mostBytes what it may have at most
    /// @param rowBytes what a row of it has at least, for that
    /// @param rest a last task, which gets what was made and what all others told ([Rest]); null for none
    record Broadcast(
            int side, long mostBytes, long rowBytes, ShardMaker maker, ShuffleReducer reducer, ShuffleReducer rest) {
        Broadcast withMaker(ShardMaker other) {
            return new Broadcast(side, mostBytes, rowBytes, other, reducer, rest);
        }
    }

    /// All blocks in an order by chance, once the last one is there.
    record BlockOrder(String name, PhysicalPlan input, long seed) implements PhysicalPlan {
        @Override
        public List<PhysicalPlan> inputs() {
            return List.of(input);
        }
    }

    /// Blocks of `rows` rows: larger ones are cut, and if `exact`, smaller ones are joined.
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
