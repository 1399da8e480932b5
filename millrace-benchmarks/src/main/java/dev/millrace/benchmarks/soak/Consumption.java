package dev.millrace.benchmarks.soak;

import dev.millrace.Dataset;
import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.Shard;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.error.MillraceException;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Consumes a pipeline in a random way, and compares the result with the model.
final class Consumption {
    private final Session session;
    private final SplittableRandom random;
    private final boolean ordered;
    private final SoakWriting writing;
    private long rowsChecked;
    private long userFailures;
    String text = "";

    Consumption(Session session, SplittableRandom random, boolean ordered, Path folder) {
        this.writing = new SoakWriting(session, random, folder);
        this.session = session;
        this.random = random;
        this.ordered = ordered;
    }

    long rowsChecked() {
        return rowsChecked;
    }

    long userFailures() {
        return userFailures;
    }

    void run(Built built) throws Exception {
        switch (random.nextInt(10)) {
            case 0, 1 -> {
                text = "takeAll()";
                same(built.rows(), built.dataset().takeAll());
                checkLetters(built);
            }
            case 2 -> {
                text = "iterBatches(), to the end";
                same(built.rows(), batches(built.dataset(), Integer.MAX_VALUE));
                checkLetters(built);
            }
            case 3 -> {
                int most = 1 + random.nextInt(4);
                text = "iterBatches(), closed after " + most;
                part(built.rows(), batches(built.dataset(), most));
            }
            case 4 -> {
                text = "materialize()";
                try (MaterializedDataset kept = built.dataset().materialize()) {
                    checkLetters(built);
                    same(built.rows(), kept.takeAll());
                    equal("count of the materialised rows", (long) built.rows().size(), kept.count());
                }
            }
            case 5 -> {
                int consumers = 1 + random.nextInt(3);
                text = "streamingSplit(" + consumers + ")";
                sameInAnyOrder(built.rows(), split(built.dataset(), consumers));
                checkLetters(built);
            }
            case 6 -> {
                text = "writeArrow()";
                same(built.rows(), writing.plain(built));
                checkLetters(built);
            }
            case 7, 8 -> {
                text = "checkpoint().writeArrow(), stopped and resumed";
                List<Row> rows = writing.resumed(built);
                if (rows != null) {
                    sameInAnyOrder(built.rows(), rows);
                }
            }
            default -> fails(built);
        }
    }

    /// A function without an error policy: the run fails if and only if it reaches the row.
    private void fails(Built built) {
        long modulus = random.nextLong(50, 550);
        text = "map(fails where id % " + modulus + " = 7).takeAll()";
        boolean must = built.rows().stream().anyMatch(row -> Math.floorMod(Functions.id(row), modulus) == 7);
        Dataset failing = built.dataset().map(Functions.failing(modulus, 7), Compute.defaults());
        try {
            List<Row> rows = failing.takeAll();
            if (must) {
                throw new AssertionError("the function failed on a row, and the run did not");
            }
            same(built.rows(), rows);
        } catch (MillraceException e) {
            if (!must || !e.getMessage().contains("soak: id ")) {
                throw e;
            }
            userFailures++;
        }
    }

    private void checkLetters(Built built) {
        userFailures += built.failures();
        if (!built.exact()) {
            return;
        }
        built.letters().forEach((name, count) -> {
            try (MaterializedDataset letters = session.deadLetters(name)) {
                equal("dead letters of " + name, (long) count, letters.count());
            }
        });
    }

    private static List<Row> batches(Dataset dataset, int most) {
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Batch> batches = dataset.iterBatches(BatchOptions.of(64))) {
            for (int i = 0; i < most && batches.hasNext(); i++) {
                rows.addAll(batches.next().toRows());
            }
        }
        return rows;
    }

    private static List<Row> split(Dataset dataset, int consumers) throws Exception {
        List<Shard> shards = dataset.streamingSplit(consumers);
        List<Row> rows = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(consumers)) {
            List<Future<List<Row>>> parts = new ArrayList<>();
            for (Shard shard : shards) {
                Callable<List<Row>> reading = () -> {
                    List<Row> part = new ArrayList<>();
                    try (shard;
                            CloseableIterator<Row> all = shard.iterRows()) {
                        all.forEachRemaining(part::add);
                    }
                    return part;
                };
                parts.add(threads.submit(reading));
            }
            for (Future<List<Row>> part : parts) {
                rows.addAll(part.get());
            }
        }
        return rows;
    }

    private void same(List<Map<String, Object>> expected, List<Row> rows) {
        if (!ordered) {
            sameInAnyOrder(expected, rows);
            return;
        }
        for (int i = 0; i < Math.min(expected.size(), rows.size()); i++) {
            equal("row " + i, expected.get(i), rows.get(i).asMap());
        }
        equal("the number of rows", expected.size(), rows.size());
        rowsChecked += rows.size();
    }

    /// The result must be the first rows, or any rows if order is not preserved.
    private void part(List<Map<String, Object>> expected, List<Row> rows) {
        if (ordered) {
            same(expected.subList(0, Math.min(rows.size(), expected.size())), rows);
            return;
        }
        Map<Map<String, Object>, Integer> left = counted(expected);
        rows.forEach(row -> left.merge(row.asMap(), -1, Integer::sum));
        left.forEach((row, count) -> {
            if (count < 0) {
                throw new AssertionError("a row too many: " + row);
            }
        });
        rowsChecked += rows.size();
    }

    private void sameInAnyOrder(List<Map<String, Object>> expected, List<Row> rows) {
        Map<Map<String, Object>, Integer> left = counted(expected);
        rows.forEach(row -> left.merge(row.asMap(), -1, Integer::sum));
        long lost = left.values().stream()
                .filter(count -> count > 0)
                .mapToInt(count -> count)
                .sum();
        long extra = -left.values().stream()
                .filter(count -> count < 0)
                .mapToInt(count -> count)
                .sum();
        if (lost > 0 || extra > 0) {
            left.values().removeIf(count -> count == 0);
            throw new AssertionError(lost + " rows lost, " + extra + " too many, of " + expected.size() + ", e.g. "
                    + left.entrySet().iterator().next());
        }
        rowsChecked += rows.size();
    }

    private static Map<Map<String, Object>, Integer> counted(List<Map<String, Object>> rows) {
        Map<Map<String, Object>, Integer> counts = new HashMap<>();
        rows.forEach(row -> counts.merge(row, 1, Integer::sum));
        return counts;
    }

    private static void equal(String what, Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError(what + ": expected " + expected + ", got " + actual);
        }
    }
}
