package dev.millrace.benchmarks.workload;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The input files of workloads with a model.
final class ModelFiles {
    private ModelFiles() {}

    static String resnet(BenchSettings settings) throws BenchFailure {
        Path model = settings.data() == null ? null : settings.data().resolve("resnet50.onnx");
        if (model == null || !Files.isRegularFile(model)) {
            throw new BenchFailure("This workload reads DIR/resnet50.onnx: give --data DIR. Any ResNet-50 will do whose"
                    + " input is float32 [batch, 3, 224, 224], e.g. of torchvision by torch.onnx.export.");
        }
        return model.toString();
    }

    /// The first `count` photographs, by name.
    static String[] photographs(BenchSettings settings, long count) throws BenchFailure, IOException {
        Path folder = settings.data() == null ? null : settings.data().resolve("images");
        if (folder == null || !Files.isDirectory(folder)) {
            throw new BenchFailure(
                    "This workload reads DIR/images/*.jpg: give --data DIR. Any photographs of about 500 x"
                            + " 375 pixels will do.");
        }
        try (Stream<Path> found = Files.list(folder)) {
            List<String> files = found.map(Path::toString)
                    .filter(file -> file.endsWith(".jpg"))
                    .sorted()
                    .limit(count)
                    .toList();
            return files.toArray(String[]::new);
        }
    }
}
