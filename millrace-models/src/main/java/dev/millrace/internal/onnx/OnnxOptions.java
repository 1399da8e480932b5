package dev.millrace.internal.onnx;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All options of a model, as a value.
public record OnnxOptions(String path, Columns columns, Scores scores, Execution execution) implements Serializable {

    /// The input and output columns.
    ///
    /// @param inputs the column of each input by the name of the input; under "" that of the only input
    /// @param outputs the column of each wanted output; empty: all outputs under their own names
    /// @param keep columns that are kept although the model reads them
    /// @param drop columns that are dropped from the result
    /// @param prefix the prefix of the name of each column that the model adds
    public record Columns(
            Map<String, String> inputs,
            Map<String, String> outputs,
            List<String> keep,
            List<String> drop,
            String prefix)
            implements Serializable {
        public static final Columns DEFAULT = new Columns(Map.of(), Map.of(), List.of(), List.of(), "");

        public Columns withInput(String input, String column) {
            return new Columns(plus(inputs, input, column), outputs, keep, drop, prefix);
        }

        public Columns withOutput(String output, String column) {
            return new Columns(inputs, plus(outputs, output, column), keep, drop, prefix);
        }

        public Columns keeping(List<String> names) {
            return new Columns(inputs, outputs, plus(keep, names), drop, prefix);
        }

        public Columns dropping(List<String> names) {
            return new Columns(inputs, outputs, keep, plus(drop, names), prefix);
        }

        public Columns withPrefix(String text) {
            return new Columns(inputs, outputs, keep, drop, text);
        }
    }

    /// How class scores are converted.
    ///
    /// @param topK the number of classes per row; 0: the scores themselves
    /// @param labelsPath a file with the name of one class per line, or null
    /// @param labels the names of the classes, or null
    public record Scores(
            boolean softmax,
            int topK,
            @Nullable String labelsPath,
            @Nullable List<String> labels) implements Serializable {
        public static final Scores DEFAULT = new Scores(false, 0, null, null);

        public boolean isAsked() {
            return softmax || topK > 0;
        }

        public boolean hasLabels() {
            return labelsPath != null || labels != null;
        }
    }

    /// How the onnxruntime session runs.
    ///
    /// @param threads the number of threads of one call; 0: the number of CPUs of the operator
    /// @param spinning whether idle threads spin: always, never, or (null) only during a call
    /// @param gpu the index of the device; null: the actor's, if its operator requests GPUs
    /// @param oneSize whether short batches are padded to the longest one so far; null: on GPUs only
    /// @param config further entries of onnxruntime's session configuration
    public record Execution(
            int threads,
            @Nullable Boolean spinning,
            @Nullable Integer gpu,
            @Nullable Boolean oneSize,
            Map<String, String> config)
            implements Serializable {
        public static final Execution DEFAULT = new Execution(0, null, null, null, Map.of());

        public Execution withConfig(String key, String value) {
            return new Execution(threads, spinning, gpu, oneSize, plus(config, key, value));
        }
    }

    public static OnnxOptions of(String path) {
        return new OnnxOptions(path, Columns.DEFAULT, Scores.DEFAULT, Execution.DEFAULT);
    }

    public OnnxOptions with(Columns changed) {
        return new OnnxOptions(path, changed, scores, execution);
    }

    public OnnxOptions with(Scores changed) {
        return new OnnxOptions(path, columns, changed, execution);
    }

    public OnnxOptions with(Execution changed) {
        return new OnnxOptions(path, columns, scores, changed);
    }

    /// The last segment of the path, by which errors refer to the model.
    public String fileName() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static Map<String, String> plus(Map<String, String> map, String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(map);
        more.put(key, value);
        return more;
    }

    private static List<String> plus(List<String> list, List<String> added) {
        List<String> more = new ArrayList<>(list);
        more.addAll(added);
        return more;
    }
}
