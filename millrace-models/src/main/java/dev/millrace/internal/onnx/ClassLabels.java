package dev.millrace.internal.onnx;

import dev.millrace.error.MillraceException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The names of classes from a text file: one per line, class 0 first. Empty lines at the end are ignored.
final class ClassLabels {
    private ClassLabels() {}

    static List<String> read(String path) {
        String text = new String(ModelFile.read(path), StandardCharsets.UTF_8);
        List<String> labels = new ArrayList<>(text.lines().map(String::strip).toList());
        while (!labels.isEmpty() && labels.getLast().isEmpty()) {
            labels.removeLast();
        }
        if (labels.isEmpty()) {
            throw MillraceException.user(
                    "There are no labels in '" + path + "'. It needs the name of each class on a line of its own.");
        }
        return List.copyOf(labels);
    }
}
