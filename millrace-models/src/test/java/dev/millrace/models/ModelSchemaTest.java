package dev.millrace.models;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.compute.Compute;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Factory;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The columns of a model's answers are known before it runs.
class ModelSchemaTest {
    private static final int ROWS = 10;

    private final Session session =
            Session.builder().progress(ProgressSettings.OFF).open();

    @AfterEach
    void close() {
        session.close();
    }

    private Dataset rows() {
        List<Row> items = new ArrayList<>();
        float[][] values = TestModels.floats("dense.x", ROWS);
        for (int i = 0; i < ROWS; i++) {
            items.add(Row.of("n", (long) i, "x", Tensor.of(values[i], 6)));
        }
        return session.items(items);
    }

    private static final Compute ONE = Compute.actors(1).batchSize(4);

    @Test
    void theSchemaBeforeARunIsThatOfTheResults() {
        List<String> labels = new ArrayList<>();
        int classes = TestModels.floats("dense.logits", ROWS)[0].length;
        for (int i = 0; i < classes; i++) {
            labels.add("class " + i);
        }
        OnnxModel model = TestModels.onnx("dense").input("x");
        for (OnnxModel each : List.of(
                model,
                model.softmax(),
                model.output("logits", "p").softmax(),
                model.keep("x"),
                model.drop("n").prefix("p_"),
                model.topK(1),
                model.softmax().topK(2).labels(labels))) {
            Dataset answered = rows().mapBatches(each, ONE);
            assertThat(answered.explain()).as("nothing has run").contains("Map[");
            String known = answered.schema().toString();
            assertThat(session.running()).isEmpty();
            try (MaterializedDataset answers = answered.materialize()) {
                assertThat(known)
                        .isEqualTo(answers.takeBatch(ROWS).schema().toString())
                        .isEqualTo(answers.schema().toString());
            }
        }
        assertThat(rows().mapBatches(model.topK(1).labels(labels), ONE).schema().toString())
                .isEqualTo("n: int64, class: int32, label: utf8, score: float32");
    }

    @Test
    void aWrongColumnBehindAModelIsAnErrorAtTheCall() {
        Dataset answered = rows().mapBatches(TestModels.onnx("dense").input("x").topK(1), ONE);
        assertThatThrownBy(() -> answered.select("n", "label"))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("select: there is no column 'label'")
                .hasMessageContaining("class")
                .hasMessageContaining("score");
        assertThatThrownBy(() -> answered.filter(col("score").eq("high"))).hasMessageContaining("score");
        assertThat(answered.filter(col("score").gt(-1e9)).count()).isEqualTo(ROWS);
    }

    @Test
    void columnsThatDoNotFitTheModelAreAnErrorAtTheCall() {
        assertThatThrownBy(() -> rows().mapBatches(TestModels.onnx("dense").input("z"), ONE))
                .hasMessageContaining("there is no column 'z' for its input");
        Dataset doubles = session.range(3).withColumn("x", col("id").cast(DataType.FLOAT64));
        assertThatThrownBy(() -> doubles.mapBatches(TestModels.onnx("dense").input("x"), ONE))
                .hasMessageContaining("column 'x' is float64");
        assertThatThrownBy(() ->
                        rows().mapBatches(TestModels.onnx("dense").input("x").output("q"), ONE))
                .hasMessageContaining("has no output 'q'");
    }

    @Test
    void behindAFunctionOfTheUsersNothingIsKnownAndAllIsAsBefore() {
        Dataset answered = rows().mapBatches(batch -> batch)
                .mapBatches(TestModels.onnx("dense").input("x").topK(1), ONE);
        assertThat(answered.select("n", "class").take(1)).hasSize(1);
        assertThatThrownBy(() -> answered.select("label").takeAll()).hasMessageContaining("'label'");
    }

    @Test
    void theColumnsOfTextModelsAreKnownBeforeTheyRun() {
        Dataset texts = session.items(List.of(Row.of("text", "a mill"), Row.of("text", "a race")));
        for (Factory<BatchFunction> each : List.<Factory<BatchFunction>>of(
                TextEmbedding.miniLm(),
                TextEmbedding.miniLm().into("text"),
                Tokenize.miniLm(),
                Tokenize.miniLm().maxLength(12),
                Tokenize.miniLm().unpadded())) {
            Dataset made = texts.mapBatches(each, ONE);
            String known = made.schema().toString();
            assertThat(session.running()).isEmpty();
            assertThat(made.takeBatch(2).schema().toString()).isEqualTo(known);
        }
        assertThatThrownBy(() -> texts.mapBatches(TextEmbedding.miniLm().column("txt"), ONE))
                .hasMessageContaining("TextEmbedding: there is no column 'txt'. Did you mean 'text'?");
        assertThatThrownBy(() -> rows().mapBatches(Tokenize.miniLm().column("n"), ONE))
                .hasMessageContaining("Column 'n' is int64, not text.");
    }

    @Test
    void theColumnsOfModelsBehindHttpAreKnownWithoutARequest() {
        HttpChat chat =
                HttpModel.chat("http://127.0.0.1:1", "small").prompt("${n}").into("said");
        assertThat(rows().mapBatches(chat.errorsInto("error"), ONE).schema().toString())
                .endsWith(", said: utf8, error: utf8");
        assertThatThrownBy(() -> rows().mapBatches(chat, ONE).select("sad"))
                .hasMessageContaining("Did you mean 'said'?");
        HttpEmbeddings vectors =
                HttpModel.embeddings("http://127.0.0.1:1", "small").column("n");
        assertThat(rows().mapBatches(vectors.size(3), ONE).schema().toString())
                .endsWith(", embedding: tensor<float32, 3>");
    }
}
