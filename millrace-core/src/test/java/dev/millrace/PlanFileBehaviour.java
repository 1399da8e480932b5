package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static dev.millrace.Behaviour.column;
import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.sql;
import static dev.millrace.expression.Expressions.udf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.function.BatchFunction;
import dev.millrace.relation.Join;
import dev.millrace.type.DataType;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunctions;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Plans in files.
interface PlanFileBehaviour extends Behaviour {
    /// A function with state.
    final class AddSome implements BatchFunction {
        private final long added;

        AddSome(long added) {
            this.added = added;
        }

        @Override
        public Batch apply(Batch batch) {
            return batch.mapLongs("id", id -> id + added);
        }
    }

    private String file() {
        return folder().resolve("a.plan").toString();
    }

    /// What comes out of the file.
    private Dataset reloaded(Dataset dataset) {
        dataset.savePlan(file());
        return session().loadPlan(file());
    }

    @Test
    default void aPlanIsSavedAndLoaded() {
        long offset = 5;
        Dataset zones = session().items(Row.of("zone", 0L, "name", "harbour"), Row.of("zone", 1L, "name", "mill"));
        Dataset plan = session()
                .range(100, 4)
                .filter("id >= 10 AND id < 1000")
                .withColumn("zone", col("id").mod(3))
                .withColumn("line", lit("a\n\nb"))
                .map(row -> row.with("id", row.getLong("id") + offset))
                .mapBatches(() -> new AddSome(2), Compute.actors(1))
                .filter(udf("even", DataType.BOOL, (Long id) -> id % 2 == 0, col("id")))
                .join(zones, Join.inner("zone"))
                .groupBy("name")
                .aggregate(count(), sum("id"))
                .sort("name")
                .named("by zone");
        List<Row> expected = plan.takeAll();
        assertThat(expected).hasSize(2);
        Dataset loaded = reloaded(plan);
        assertThat(loaded.takeAll()).isEqualTo(expected);
        assertThat(loaded.explain()).isEqualTo(plan.explain());
        assertThat(loaded.toString()).isEqualTo(plan.toString());
        // The loaded one is a dataset like any other.
        assertThat(reloaded(loaded.filter("name = 'mill'")).count()).isEqualTo(1);
    }

    @Test
    default void verbsOfAllKindsAreSaved() {
        Dataset ids = session().range(20, 3);
        Dataset plan = ids.union(ids.zip(ids.rename("id", "other")).select("id"))
                .window(Window.partitionBy("id"), WindowFunctions.rowNumber().as("n"))
                .distinct("id", "n")
                .withColumn("l", sql("[id, n]"))
                .explode("l")
                .randomSample(1, 3)
                .repartition(3)
                .randomShuffle(1)
                .limit(50);
        assertThat(reloaded(plan).sort("id", "n", "l").takeAll())
                .isEqualTo(plan.sort("id", "n", "l").takeAll());
        Dataset policy =
                session().items(Row.of("a", "1"), Row.of("a", "x")).filter("CAST(a AS INT) > 0", ErrorPolicy.skip());
        assertThat(reloaded(policy).count()).isEqualTo(1);
        assertThat(reloaded(session().range(10, 5).unordered())
                        .settings()
                        .execution()
                        .preserveOrder())
                .isFalse();
    }

    @Test
    default void filesAreReadWhereThePlanIsLoaded() {
        session().range(50, 3).writeArrow(folder().resolve("ids").toString());
        Dataset plan = session().readArrow(folder().resolve("ids").toString()).filter("id % 10 = 0");
        assertThat(column("id", reloaded(plan))).containsExactly(0L, 10L, 20L, 30L, 40L);
        assertThat(reloaded(plan).inputFiles()).isEqualTo(plan.inputFiles());
    }

    @Test
    default void whatBelongsToThisProcessIsNamed() {
        try (MaterializedDataset kept = session().range(3).materialize()) {
            assertError(() -> kept.filter("id > 1").savePlan(file()))
                    .hasMessage(
                            "savePlan: the plan begins with a materialised dataset, whose blocks are of this session."
                                    + " Write its rows to files and read these, or save the plan before materialize().");
        }
        assertError(() -> session().fromIterator(() -> List.of(1).iterator()).savePlan(file()))
                .hasMessage(
                        "savePlan: the plan reads an iterator or a stream, which is of this process. Write its rows to"
                                + " files and read these.");
        String large = "x".repeat(2 << 20);
        assertError(() -> session().items(large).savePlan(file()))
                .hasMessageMatching(
                        "savePlan: Items has rows of 2[0-9]{6} bytes in memory, and a plan may have 1048576 of"
                                + " them. Write the rows to files and read these.");
        assertError(() -> session().range(3).savePlan("s3://bucket/a.plan"))
                .hasMessage("savePlan: a plan is a file of this machine, and 's3://bucket/a.plan' is none.");
        assertThat(folder().resolve("a.plan")).doesNotExist();
    }

    @Test
    default void credentialsAreNotWritten() {
        assertError(() -> session()
                        .range(3)
                        .withColumn("a", lit("https://me:hunter2@host/x"))
                        .savePlan(file()))
                .hasMessageStartingWith(
                        "savePlan: the plan has a text with a password or key in it, https://***@host/x,");
        String address = "postgres://me:hunter2@host/db";
        assertError(() -> session()
                        .range(3)
                        .map(row -> row.with("a", address.length()))
                        .savePlan(file()))
                .hasMessageNotContaining("hunter2")
                .hasMessageContaining("credentials are written to no file");
        assertThat(folder().resolve("a.plan")).doesNotExist();
    }

    @Test
    default void classesThatAreNotExpectedAreRefusedUnlessTheyAreAllowed() {
        File captured = new File("x");
        Dataset plan = session().range(2).map(row -> row.with("n", captured.getName()));
        plan.savePlan(file());
        assertError(() -> session().loadPlan(file()))
                .hasMessage(
                        "loadPlan: the plan '" + file() + "' has objects of the class java.io.File, which are code that"
                                + " it would run. If the file is from whom you trust, allow them: loadPlan(file, \"java.io.\").");
        assertThat(column("n", session().loadPlan(file(), "java.io."))).containsExactly("x", "x");
        assertThat(column("n", session().loadPlan(file(), "java.io.File"))).containsExactly("x", "x");
    }

    @Test
    default void filesThatAreNoPlansAreToldSo() throws IOException {
        session().range(3).filter("id > 1").savePlan(file());
        Path path = Path.of(file());
        byte[] good = Files.readAllBytes(path);
        assertThat(new String(good, StandardCharsets.ISO_8859_1))
                .startsWith("millrace plan 1\nFilter[id > 1]\n+- Read[Range] (id: int64)");
        try (Stream<Path> files = Files.list(folder())) {
            assertThat(files).containsExactly(path);
        }
        byte[] damaged = good.clone();
        damaged[good.length - 3] ^= 1;
        Files.write(path, damaged);
        assertError(() -> session().loadPlan(file()))
                .hasMessage("The saved plan '" + file() + "' is damaged: its checksum is another one.");
        Files.writeString(path, "millrace plan 2\nx\n\n");
        assertError(() -> session().loadPlan(file()))
                .hasMessage("'" + file() + "' is a plan of format 2, and this version of Millrace reads format 1.");
        Files.writeString(path, "millrace plan 1\nx");
        assertError(() -> session().loadPlan(file())).hasMessage("The saved plan '" + file() + "' is cut off.");
        Files.writeString(path, "id,name\n1,2\n");
        assertError(() -> session().loadPlan(file())).hasMessage("'" + file() + "' is no saved plan.");
        Files.delete(path);
        assertError(() -> session().loadPlan(file())).hasMessage("loadPlan: there is no file '" + file() + "'.");
    }

    @Test
    default void aDeepPlanIsSaved() {
        Dataset deep = session().range(3);
        for (int i = 0; i < 3000; i++) {
            deep = deep.limit(1000 - i % 7);
        }
        assertThat(reloaded(deep).count()).isEqualTo(3);
    }
}
