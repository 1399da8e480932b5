package dev.millrace.examples;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/// The model, its labels and the photographs that are bundled with the examples, as files in a folder. `NOTICE.md`
/// beside them names their authors and licences.
///
/// @param folder the folder that contains them
public record ExampleFiles(Path folder) {
    private static final List<String> PHOTOS = List.of(
            "astronaut.jpg",
            "cat.jpg",
            "coins.jpg",
            "espresso.jpg",
            "flower.jpg",
            "galaxies.jpg",
            "rocket.jpg",
            "temple.jpg");
    private static final String MODEL = "models/efficientnet-lite0.onnx";
    private static final String LABELS = "models/imagenet-labels.txt";

    /// Copies them out of the jar; existing files of the right size are kept.
    public static ExampleFiles unpack(Path folder) throws IOException {
        unpack("NOTICE.md", folder);
        unpack(MODEL, folder);
        unpack(LABELS, folder);
        unpack("photos/expected.csv", folder);
        for (String photo : PHOTOS) {
            unpack("photos/" + photo, folder);
        }
        return new ExampleFiles(folder);
    }

    /// The folder of the photographs.
    public Path photos() {
        return folder.resolve("photos");
    }

    /// The ONNX file.
    public Path model() {
        return folder.resolve(MODEL);
    }

    /// The names of the model's classes.
    public Path labels() {
        return folder.resolve(LABELS);
    }

    /// The results of PIL and onnxruntime: file, width, height, class, label, score.
    public Path expected() {
        return folder.resolve("photos/expected.csv");
    }

    /// Writes to a temporary file and renames it, so that an interrupted run leaves no partial model.
    private static void unpack(String name, Path folder) throws IOException {
        Path file = folder.resolve(name);
        URL resource = ExampleFiles.class.getResource(name);
        if (resource == null) {
            throw new IOException("The examples' jar has no '" + name + "'. Build it again: ./millrace build");
        }
        URLConnection connection = resource.openConnection();
        connection.setUseCaches(false);
        try (InputStream bytes = connection.getInputStream()) {
            if (Files.exists(file) && Files.size(file) == connection.getContentLengthLong()) {
                return;
            }
            Files.createDirectories(file.getParent());
            Path beside = Files.createTempFile(file.getParent(), ".unpacking", "");
            Files.copy(bytes, beside, StandardCopyOption.REPLACE_EXISTING);
            Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
