package dev.millrace.benchmarks.soak;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.udf;

import dev.millrace.Dataset;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.expression.Expression;
import dev.millrace.function.BatchFunction;
import dev.millrace.type.DataType;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// Appends a verb that fails on some rows under an error policy, and applies the same to the model.
final class Failing {
    /// The limit on rows for batches of one row, which are slow.
    private static final int MAX_SINGLE_ROWS = 600;

    private final SplittableRandom random;
    private final String name;
    private final long modulus;
    private final long rest;

    /// @param name a name that no other verb of the session has
    Failing(SplittableRandom random, String name) {
        this.random = random;
        this.name = name;
        this.modulus = random.nextLong(2, 22);
        this.rest = random.nextLong(modulus);
    }

    Built append(Built to) {
        return switch (random.nextInt(6)) {
            case 0 -> {
                ErrorPolicy policy = leavingOut();
                yield without(
                        to,
                        "map",
                        policy,
                        to.dataset()
                                .map(
                                        Functions.failing(modulus, rest),
                                        Compute.defaults().onError(policy)));
            }
            case 1 -> to.rows().size() > MAX_SINGLE_ROWS ? to : batches(to);
            case 2 -> nulledRecords(to);
            case 3 -> {
                ErrorPolicy policy = leavingOut();
                Built next = without(
                        to, "withColumn(" + name + ")", policy, to.dataset().withColumn(name, call(), policy));
                yield next.withRows(added(next.rows()));
            }
            case 4 -> {
                ErrorPolicy policy = leavingOut();
                yield without(to, "filter by expression", policy, to.dataset().filter(call().isNotNull(), policy));
            }
            default ->
                to.then(
                        "withColumn(" + name + ", " + where() + ", nulls)",
                        to.dataset().withColumn(name, call(), ErrorPolicy.nulls()),
                        added(to.rows()));
        };
    }

    private ErrorPolicy leavingOut() {
        return random.nextBoolean() ? ErrorPolicy.deadLetter(name) : ErrorPolicy.skip();
    }

    /// Returns 1 or fails, by a user function or by a division by zero; both fail on the same rows.
    private Expression call() {
        return random.nextBoolean()
                ? udf("soak", DataType.INT64, Functions.failingCall(modulus, rest), col(Functions.ID))
                : lit(1L).intDiv(udf("zero", DataType.INT64, Functions.zeroWhere(modulus, rest), col(Functions.ID)));
    }

    private String where() {
        return "fails where id % " + modulus + " = " + rest;
    }

    private boolean fails(Map<String, Object> row) {
        return Math.floorMod(Functions.id(row), modulus) == rest;
    }

    private List<Map<String, Object>> added(List<Map<String, Object>> rows) {
        return rows.stream()
                .map(row -> Functions.with(row, name, fails(row) ? null : 1L))
                .toList();
    }

    /// Removes the failing rows from the model, and counts them if the policy keeps them.
    private Built without(Built to, String verb, ErrorPolicy policy, Dataset next) {
        List<Map<String, Object>> good =
                to.rows().stream().filter(row -> !fails(row)).toList();
        Built left = to.then(verb + "(" + where() + ", " + policy + ")", next, good);
        return policy.action() == ErrorPolicy.Action.DEAD_LETTER
                ? left.withLetters(name, to.rows().size() - good.size())
                : left;
    }

    /// Uses batches of one row, so that a failing batch loses exactly one row; also in actors.
    private Built batches(Built to) {
        ErrorPolicy policy = leavingOut();
        boolean actors = random.nextBoolean();
        BatchFunction failing = Functions.failingBatches(modulus, rest);
        Dataset next = actors
                ? to.dataset()
                        .mapBatches(
                                () -> failing, Compute.actors(1, 2).batchSize(1).onError(policy))
                : to.dataset()
                        .mapBatches(failing, Compute.defaults().batchSize(1).onError(policy));
        return without(to, "mapBatches" + (actors ? " in actors" : ""), policy, next);
    }

    /// Records have known columns, so that all rows of a task may fail. The null rows are filtered out again.
    private Built nulledRecords(Built to) {
        Dataset next = to.dataset()
                .map(
                        Functions.Id.class,
                        Functions.Id.class,
                        Functions.failingRecords(modulus, rest),
                        Compute.defaults().onError(ErrorPolicy.nulls()))
                .filter(col(Functions.ID).isNotNull());
        return to.then(
                "map(records, " + where() + ", nulls).filter(id is not null)",
                next,
                to.rows().stream()
                        .filter(row -> !fails(row))
                        .map(row -> Map.<String, Object>of(Functions.ID, Functions.id(row)))
                        .toList());
    }
}
