package dev.millrace.python;

import static dev.millrace.expression.Expressions.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.column.Tensor;
import dev.millrace.compute.Compute;
import dev.millrace.testing.Python;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What needs torch, of which PyPI has a build of 6 GB only: skipped where its environment was not made.
@Timeout(600)
class PythonTorchTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void findTorch() {
        assumeTrue(
                Files.exists(Path.of(System.getProperty("millrace.root"), "build", "python", "torch", "bin", "python")),
                "torch is not installed: 'tools/python-env torch' makes the environment, 6 GB in about 6 minutes");
    }

    @Test
    void twoRanksTrainOnePyTorchModel() {
        try (Session session = Session.open()) {
            Dataset line = session.range(1000, 8)
                    .withColumn("x", sql("id / 500.0 - 1"))
                    .withColumn("y", sql("3 * (id / 500.0 - 1) + 1"));
            Tensor[] images = IntStream.range(0, 4)
                    .mapToObj(image -> Tensor.of(
                            IntStream.range(12 * image, 12 * image + 12).toArray(), 3, 4))
                    .toArray(Tensor[]::new);
            Dataset tensors = session.range(1).mapBatches(batch -> Batch.of("image", images));
            try (PythonFeed.Running feed = PythonFeed.of(line)
                    .with("images", tensors)
                    .open(folder.resolve("feed").toString())) {
                Python.environment("torch")
                        .run(
                                PythonTorchTest.class,
                                "torch_training.py",
                                PythonFeedTest.source().toString(),
                                feed.address());
            }
        }
    }

    @Test
    void imagesAreCroppedAndNormalisedWhereTheModelRuns() {
        Python.environment("torch")
                .run(
                        PythonTorchTest.class,
                        "vision_check.py",
                        PythonFeedTest.source().toString());
    }

    @Test
    void transformersWriteAndEmbedTextsByTheirLength() {
        Python torch = Python.environment("torch");
        torch.run(PythonTorchTest.class, "tiny_models.py", folder.toString());
        String writer = folder.resolve("writer").toString();
        String python = torch.interpreter().toString();
        try (Session session = Session.open()) {
            List<Text> prompts = List.of(
                    new Text("hello"),
                    new Text("a much longer text than the others have"),
                    new Text("hi"),
                    new Text("ab"));
            Dataset texts = session.records(Text.class, prompts);
            PythonUdf generate = Transformers.generate(writer, "prompt", "answer")
                    .arg("max_new_tokens", 8)
                    .python(python);
            List<String> together = answers(texts, generate.arg("batch_tokens", 40), 4);
            List<String> alone = answers(texts, generate, 1);
            assertThat(together).hasSize(4).isEqualTo(alone);
            assertThat(answers(
                            texts,
                            Transformers.chat(writer, "prompt", "answer")
                                    .arg("max_new_tokens", 8)
                                    .python(python),
                            4))
                    .isNotEqualTo(together);
            PythonUdf embed = Transformers.embed(folder.resolve("embedder").toString(), "prompt", "vector")
                    .python(python);
            assertThat(texts.mapBatches(embed, Compute.actors(1).batchSize(4)).takeAll())
                    .allSatisfy(row -> assertThat(Objects.requireNonNull(row.getTensor("vector"))
                                    .shape())
                            .containsExactly(16));
            assertThatThrownBy(() -> answers(
                            texts,
                            Transformers.generate("/no/model", "prompt", "answer")
                                    .python(python),
                            4))
                    .hasMessageContaining("the folder '/no/model' has no model: there is no config.json.");
        }
    }

    record Text(String prompt) {}

    private static List<String> answers(Dataset texts, PythonUdf model, int batchSize) {
        return texts.mapBatches(model, Compute.actors(1).batchSize(batchSize)).takeAll().stream()
                .map(row -> row.getString("answer"))
                .toList();
    }
}
