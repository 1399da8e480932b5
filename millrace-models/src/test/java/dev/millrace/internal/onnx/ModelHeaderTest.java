package dev.millrace.internal.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.models.TestModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the file of a model declares, held against what onnxruntime says of the loaded model.
class ModelHeaderTest {
    @TempDir
    Path folder;

    @Test
    void everyHeaderSaysWhatOnnxruntimeSaysOfTheLoadedModel() throws IOException {
        List<Path> models;
        try (Stream<Path> files = Files.list(TestModels.folder())) {
            models = files.filter(file -> file.toString().endsWith(".onnx")).toList();
        }
        int compared = 0;
        for (Path file : models) {
            ModelHeader header = ModelHeader.read(file.toString()).orElse(null);
            if (header == null) {
                continue;
            }
            compared++;
            try (OpenModel loaded = OpenModel.open(OnnxOptions.of(file.toString()))) {
                assertThat(header.inputs()).as("%s", file).isEqualTo(loaded.inputs());
                assertThat(header.outputs()).as("%s", file).isEqualTo(loaded.outputs());
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(5).isGreaterThanOrEqualTo(models.size() - 2);
    }

    @Test
    void aFileThatIsNoModelOrNotHereDeclaresNothing() throws IOException {
        byte[] whole = Files.readAllBytes(Path.of(TestModels.model("dense")));
        for (int length = 0; length < whole.length; length += 7) {
            Path cut = Files.write(folder.resolve("cut.onnx"), Arrays.copyOf(whole, length));
            ModelHeader.read(cut.toString())
                    .ifPresent(header -> assertThat(header.outputs())
                            .isEqualTo(ModelHeader.read(TestModels.model("dense"))
                                    .orElseThrow()
                                    .outputs()));
        }
        assertThat(ModelHeader.read(Files.writeString(folder.resolve("a.onnx"), "no model at all")
                        .toString()))
                .isEmpty();
        assertThat(ModelHeader.read(folder.resolve("none.onnx").toString())).isEmpty();
        assertThat(ModelHeader.read("s3://bucket/model.onnx")).isEmpty();
    }
}
