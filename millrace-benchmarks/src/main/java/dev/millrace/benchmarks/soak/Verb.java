package dev.millrace.benchmarks.soak;

import static dev.millrace.expression.Expressions.col;

import dev.millrace.compute.Compute;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/// Appends a random verb to a pipeline, and the same to its model.
final class Verb {
    private final SplittableRandom random;
    private final boolean ordered;
    private final int cpus;
    private final AtomicInteger names = new AtomicInteger();

    Verb(SplittableRandom random, boolean ordered, int cpus) {
        this.random = random;
        this.ordered = ordered;
        this.cpus = cpus;
    }

    Built append(Built to, int mostRows) {
        if (to.rows().isEmpty()) {
            // Functions without input rows produce no columns, which the next verb may need.
            return to;
        }
        // The last ones require an order.
        return switch (random.nextInt(ordered ? 17 : 14)) {
            case 0, 1 -> {
                long by = random.nextInt(5);
                yield to.then(
                        "map(mix " + by + ")",
                        to.dataset().map(Functions.mix(by)),
                        Functions.mapIds(to.rows(), id -> Functions.mixed(id, by)));
            }
            case 2, 12 -> new Failing(random, "f" + names.incrementAndGet()).append(to);
            case 13 -> to.rows().size() * 2 > mostRows ? to : padded(to);
            case 3 -> {
                long modulus = random.nextLong(2, 7);
                yield to.then(
                        "filter(id % " + modulus + " != 0)",
                        to.dataset().filter(Functions.keep(modulus)),
                        to.rows().stream()
                                .filter(row -> Math.floorMod(Functions.id(row), modulus) != 0)
                                .toList());
            }
            case 4 -> {
                long least = random.nextInt(1000);
                yield to.then(
                        "filter(col(id) > " + least + ")",
                        to.dataset().filter(col(Functions.ID).gt(least)),
                        to.rows().stream()
                                .filter(row -> Functions.id(row) > least)
                                .toList());
            }
            case 5 -> to.rows().size() * 4 > mostRows ? to : flatMap(to);
            case 6, 7 -> batches(to);
            case 8 -> actors(to);
            case 9 -> to.rows().size() * 3 > mostRows ? to : explode(to);
            case 10 ->
                to.then("materialize()", to.dataset().materialize(), to.rows()).withoutLetters();
            case 11 -> {
                String column = "e" + names.incrementAndGet();
                yield to.then(
                        "withColumn(" + column + ")",
                        to.dataset().withColumn(column, col(Functions.ID).plus(1)),
                        to.rows().stream()
                                .map(row -> Functions.with(row, column, Functions.id(row) + 1))
                                .toList());
            }
            case 14 -> {
                int rows = random.nextInt(to.rows().size() + 10);
                yield to.then(
                                "limit(" + rows + ")",
                                to.dataset().limit(rows),
                                to.rows().subList(0, Math.min(rows, to.rows().size())))
                        .inexact();
            }
            case 15 -> {
                int rows = random.nextInt(to.rows().size() + 10);
                yield to.then(
                        "offset(" + rows + ")",
                        to.dataset().offset(rows),
                        to.rows()
                                .subList(
                                        Math.min(rows, to.rows().size()),
                                        to.rows().size()));
            }
            default -> zip(to);
        };
    }

    /// Rows of at least about half a block: a few thousand of them exceed the memory of a small session.
    private Built padded(Built to) {
        if (to.rows().getFirst().containsKey(Functions.PAD)) {
            return to;
        }
        int bytes = 500 + random.nextInt(8000);
        return to.then(
                "map(pad " + bytes + ")",
                to.dataset().map(Functions.padded(bytes)),
                to.rows().stream()
                        .map(row -> Functions.with(row, Functions.PAD, Functions.pad(Functions.id(row), bytes)))
                        .toList());
    }

    private Built flatMap(Built to) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Map<String, Object> row : to.rows()) {
            for (int i = 0; i < Functions.copies(Functions.id(row)); i++) {
                rows.add(Functions.with(row, Functions.ID, Functions.id(row) * 4 + i));
            }
        }
        return to.then("flatMap(0 to 3 copies)", to.dataset().flatMap(Functions.multiply()), rows);
    }

    private Built batches(Built to) {
        long more = random.nextInt(100);
        int size = random.nextInt(4) == 0 ? Compute.AUTO : random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(700);
        Compute compute =
                (random.nextBoolean() ? Compute.defaults() : Compute.tasks(1 + random.nextInt(3))).batchSize(size);
        return to.then(
                "mapBatches(+" + more + ", batchSize " + size + ", " + compute.strategy() + ")",
                to.dataset().mapBatches(Functions.add(more), compute),
                Functions.mapIds(to.rows(), id -> id + more));
    }

    private Built actors(Built to) {
        long more = random.nextInt(100);
        int max = 1 + random.nextInt(cpus);
        int min = random.nextInt(max + 1);
        int size = 1 + random.nextInt(300);
        return to.then(
                "mapBatches(+" + more + " in actors(" + min + ", " + max + "), batchSize " + size + ")",
                to.dataset()
                        .mapBatches(
                                () -> new Functions.Adder(more),
                                Compute.actors(min, max).batchSize(size)),
                Functions.mapIds(to.rows(), id -> id + more));
    }

    private Built explode(Built to) {
        String column = "l" + names.incrementAndGet();
        boolean keepEmpty = random.nextBoolean();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Map<String, Object> row : to.rows()) {
            List<Long> elements = Functions.elements(Functions.id(row));
            elements.forEach(element -> rows.add(Functions.with(row, column, element)));
            if (elements.isEmpty() && keepEmpty) {
                rows.add(Functions.with(row, column, null));
            }
        }
        return to.then(
                "map(list " + column + ").explode(" + column + ", " + keepEmpty + ")",
                to.dataset().map(Functions.list(column)).explode(column, keepEmpty),
                rows);
    }

    /// Zips with itself: both sides have the same number of rows, whatever was dropped before.
    private Built zip(Built to) {
        String column = "z" + names.incrementAndGet();
        return to.then(
                        "zip(itself.select(id).rename(" + column + "))",
                        to.dataset().zip(to.dataset().select(Functions.ID).rename(Functions.ID, column)),
                        to.rows().stream()
                                .map(row -> Functions.with(row, column, Functions.id(row)))
                                .toList())
                .plusLetters(to);
    }
}
