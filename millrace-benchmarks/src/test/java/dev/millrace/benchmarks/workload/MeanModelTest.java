package dev.millrace.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.compute.Compute;
import dev.millrace.models.OnnxModel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeanModelTest {
    @TempDir
    Path folder;

    @Test
    void itsScoresAreTheMeansOfThePlanes() throws Exception {
        float[] image = new float[3 * 224 * 224];
        Arrays.fill(image, 0, 224 * 224, -1);
        Arrays.fill(image, 224 * 224, 2 * 224 * 224, 3);
        try (Session session = Session.open()) {
            List<Row> rows = session.items(List.of(Row.of("image", Tensor.of(image, 3, 224, 224))))
                    .mapBatches(OnnxModel.of(MeanModel.in(folder)).input("image"), Compute.actors(1))
                    .takeAll();
            assertThat(rows.getFirst().getTensor("scores").toFloats())
                    .hasSize(999)
                    .startsWith(-1, 3, 0, -1, 3, 0)
                    .endsWith(-1, 3, 0);
        }
    }
}
