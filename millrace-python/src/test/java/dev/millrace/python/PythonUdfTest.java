package dev.millrace.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.compute.Compute;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PythonUdfTest {
    private static Session session;

    @TempDir
    Path folder;

    @BeforeAll
    static void open() {
        session = Session.open();
    }

    /// Throws if bytes are held.
    @AfterAll
    static void close() {
        session.close();
    }

    private PythonUdf udf(String source, String name) {
        return new PythonFiles(folder).udf(source, name);
    }

    @Test
    void aFunctionGetsNumpyArraysAndReturnsColumns() {
        PythonUdf twice = udf("""
                def twice(batch):
                    return {"id": batch["id"], "twice": batch["id"] * 2}
                """, "twice");
        List<Row> rows = session.range(1000)
                .mapBatches(twice, Compute.actors(1).batchSize(100))
                .takeAll();
        assertThat(rows).hasSize(1000);
        for (int i = 0; i < 1000; i++) {
            assertThat(rows.get(i).getLong("id")).isEqualTo(i);
            assertThat(rows.get(i).getLong("twice")).isEqualTo(2L * i);
        }
    }

    @Test
    void aClassIsMadeOncePerWorkerWithItsArgumentsAndIsClosed() {
        PythonUdf model =
                udf("""
                import os
                class Model:
                    made = 0
                    def __init__(self, factor, names, scale=1.0, options=None):
                        Model.made += 1
                        self.factor, self.names, self.scale, self.options = factor, names, scale, options
                    def __call__(self, batch):
                        return {"value": batch["id"] * self.factor * self.scale,
                                "made": [Model.made] * len(batch["id"]),
                                "text": [self.names[i % 2] + str(self.options["deep"]) for i in batch["id"]],
                                "pid": [os.getpid()] * len(batch["id"])}
                """, "Model").args(3, List.of("a", "b")).arg("scale", 0.5).arg("options", Map.of("deep", true));
        List<Row> rows = session.range(64)
                .mapBatches(model, Compute.actors(1).batchSize(8))
                .takeAll();
        assertThat(rows).hasSize(64);
        assertThat(rows.get(7).getDouble("value")).isEqualTo(10.5);
        assertThat(rows.get(7).getString("text")).isEqualTo("bTrue");
        assertThat(rows).allSatisfy(row -> assertThat(row.getLong("made")).isEqualTo(1));
        assertThat(rows.stream().map(row -> row.getLong("pid")).distinct()).hasSize(1);
        // Actors are stopped behind the end of the run.
        ProcessHandle.of(rows.getFirst().getLong("pid"))
                .ifPresent(worker -> assertThat(worker.onExit()).succeedsWithin(Duration.ofSeconds(30)));
    }

    @Test
    void tensorsKeepTheirShapeAndAreViews() {
        PythonUdf shapes = udf("""
                import numpy as np
                def shapes(batch):
                    image = batch["image"]
                    assert image.shape == (len(image), 2, 3) and image.dtype == np.uint8, image.shape
                    assert image.base is not None and not image.flags.writeable
                    return {"image": image, "half": (image // 2).astype(np.float16), "sum": image.sum(axis=(1, 2))}
                """, "shapes");
        Schema output = session.range(10)
                .mapBatches(PythonUdfTest::withImages)
                .mapBatches(shapes, Compute.actors(1).batchSize(4))
                .schema();
        assertThat(output.field(output.require("image", "test")).type())
                .isEqualTo(DataType.tensor(DataType.UINT8, 2, 3));
        assertThat(output.field(output.require("half", "test")).type())
                .isEqualTo(DataType.tensor(DataType.FLOAT16, 2, 3));
        List<Row> rows = session.range(10)
                .mapBatches(PythonUdfTest::withImages)
                .mapBatches(shapes, Compute.actors(1).batchSize(4))
                .takeAll();
        assertThat(rows.get(9).getLong("sum")).isEqualTo(6 * 9 + 15);
        assertThat(rows.get(9).get("image"))
                .isInstanceOfSatisfying(
                        Tensor.class, image -> assertThat(image.shape()).containsExactly(2, 3));
    }

    private static Batch withImages(Batch batch) {
        Tensor[] images = new Tensor[(int) batch.rows()];
        for (int i = 0; i < images.length; i++) {
            byte[] pixels = new byte[6];
            for (int j = 0; j < pixels.length; j++) {
                pixels[j] = (byte) (batch.longs("id").get(i) + j);
            }
            images[i] = Tensor.ofUnsigned(pixels, 2, 3);
        }
        return batch.with("image", images);
    }

    @Test
    void arrowBatchesComeAndGoWithNullsAndText() {
        PythonUdf lengths = udf("""
                import pyarrow as pa
                import pyarrow.compute as pc
                def lengths(batch):
                    assert isinstance(batch, pa.RecordBatch)
                    return batch.append_column("length", pc.utf8_length(batch.column("word")))
                """, "lengths").arrow();
        List<Row> rows = session.items(List.of(
                        Row.of("word", "mill", "n", 1),
                        Row.builder().set("word", null).set("n", 2).build(),
                        Row.of("word", "race", "n", 3)))
                .mapBatches(lengths, Compute.actors(1))
                .takeAll();
        assertThat(rows).extracting(row -> row.get("word")).containsExactly("mill", null, "race");
        assertThat(rows).extracting(row -> row.get("length")).containsExactly(4, null, 4);
    }

    @Test
    void aGeneratorYieldsSeveralBatchesForEachCall() {
        PythonUdf pieces = udf("""
                def pieces(batch):
                    for i in range(3):
                        yield {"id": batch["id"] + 1000 * i}
                """, "pieces");
        List<Row> joined = session.range(20)
                .mapBatches(pieces, Compute.actors(1).batchSize(10))
                .takeAll();
        assertThat(joined).hasSize(60);
        assertThat(joined.get(25).getLong("id")).isEqualTo(2005);
        List<Row> streamed = session.range(20)
                .flatMapBatches(pieces, Compute.actors(1).batchSize(10))
                .takeAll();
        assertThat(streamed).isEqualTo(joined);
    }

    @Test
    void aStreamEndsWhenNoMoreRowsAreNeeded() {
        PythonUdf endless = udf("""
                def endless(batch):
                    while True:
                        yield {"id": batch["id"]}
                """, "endless");
        assertThat(session.range(1)
                        .flatMapBatches(endless, Compute.actors(1))
                        .limit(50)
                        .takeAll())
                .hasSize(50);
    }

    @Test
    void rowsAreFilteredMappedAndExpanded() {
        String source = """
                def even(row):
                    return row["id"] % 2 == 0
                def next_one(row):
                    return {"id": row["id"] + 1, "name": f"row {row['id']}"}
                def repeat(row):
                    for i in range(row["id"] % 3):
                        yield {"id": row["id"], "copy": i}
                def is_large(batch):
                    return batch["id"] >= 90
                """;
        assertThat(session.range(100)
                        .filter(udf(source, "even"), Compute.actors(1))
                        .count())
                .isEqualTo(50);
        assertThat(session.range(100)
                        .filter(udf(source, "is_large").numpy(), Compute.actors(1))
                        .takeAll())
                .hasSize(10);
        assertThat(session.range(3)
                        .map(udf(source, "next_one"), Compute.actors(1))
                        .takeAll())
                .extracting(row -> row.get("name"))
                .containsExactly("row 0", "row 1", "row 2");
        assertThat(session.range(6)
                        .flatMap(udf(source, "repeat"), Compute.actors(1))
                        .takeAll())
                .extracting(row -> row.getLong("id"))
                .containsExactly(1L, 2L, 2L, 4L, 5L, 5L);
    }

    @Test
    void aDeclaredSchemaIsKnownBeforeTheRunAndChecked() {
        Schema declared = Schema.of(new Field("id", DataType.INT32));
        PythonUdf same = udf("def same(batch):\n    return batch\n", "same").output(declared);
        var dataset = session.range(5).mapBatches(same, Compute.actors(1));
        assertThat(dataset.schema()).isEqualTo(declared);
        assertThatThrownBy(dataset::takeAll)
                .hasMessageContaining("The Python function returned the columns")
                .hasMessageContaining("but it is declared to return")
                .hasMessageContaining("Return these, or correct output(...).");
    }

    @Test
    void torchTensorsAreViewsThatMayBeChanged() {
        Assumptions.assumeTrue(hasTorch(), "torch is not in the Python environment of the tests");
        PythonUdf model = udf("""
                def model(batch):
                    batch["id"] += 1
                    return {"id": batch["id"]}
                """, "model").torch();
        assertThat(session.range(5).mapBatches(model, Compute.actors(1)).takeAll())
                .extracting(row -> row.getLong("id"))
                .containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    private static boolean hasTorch() {
        return Path.of(PythonFiles.interpreter())
                .resolve("../../lib/python3.11/site-packages/torch")
                .toFile()
                .exists();
    }

    @Test
    void aSourceYieldsTheRowsOfEachSplit() {
        PythonUdf feed = udf("""
                import numpy as np
                def feed(split, splits, rows):
                    for batch in range(3):
                        yield {"split": np.full(rows, split), "batch": np.full(rows, batch)}
                """, "feed").args(10);
        List<Row> rows = session.read(feed.source(2)).takeAll();
        assertThat(rows).hasSize(60);
        assertThat(rows.get(59).getLong("split")).isEqualTo(1);
        assertThat(rows.get(25).getLong("batch")).isEqualTo(2);
        assertThat(session.read(feed.source(2)).limit(5).takeAll()).hasSize(5);
    }

    @Test
    void manyWorkersGiveRowsInOrder() {
        PythonUdf same = udf("def same(batch):\n    return batch\n", "same").arrow();
        List<Row> rows = session.range(20_000)
                .mapBatches(same, Compute.actors(2).batchSize(500).cpus(0.5))
                .takeAll(20_000);
        assertThat(rows).hasSize(20_000);
        assertThat(rows.get(19_999).getLong("id")).isEqualTo(19_999);
    }
}
