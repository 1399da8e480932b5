package dev.millrace.iteration;

import dev.millrace.error.MillraceException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Some rows as one tensor per column, the rows being the first dimension. Valid until the next batch is requested.
public final class TensorBatch {
    private final long rows;
    private final Map<String, DirectTensor> tensors;
    private final Map<String, String[]> strings;

    /// The creator manages the lifetime of its memory.
    public TensorBatch(long rows, Map<String, DirectTensor> tensors, Map<String, String[]> strings) {
        this.rows = rows;
        this.tensors = new LinkedHashMap<>(tensors);
        this.strings = new LinkedHashMap<>(strings);
    }

    /// The first size of every tensor.
    public long rows() {
        return rows;
    }

    /// The names of the tensors, in the order of the columns.
    public Set<String> names() {
        return Collections.unmodifiableSet(tensors.keySet());
    }

    /// Whether there is a tensor of this name.
    public boolean has(String name) {
        return tensors.containsKey(name);
    }

    /// A tensor by its name; a missing one is an error.
    public DirectTensor tensor(String name) {
        DirectTensor tensor = tensors.get(name);
        if (tensor == null) {
            throw MillraceException.user("There is no tensor '" + name + "' in this batch. The tensors are " + this
                    + (strings.containsKey(name) ? "; '" + name + "' was kept as strings(\"" + name + "\")." : "."));
        }
        return tensor;
    }

    /// All tensors, in the order of the columns.
    public List<DirectTensor> tensors() {
        return List.copyOf(tensors.values());
    }

    /// A column of text that was kept ([TensorBatchOptions#keepStrings]); null where the value is.
    public String[] strings(String name) {
        String[] values = strings.get(name);
        if (values == null) {
            throw MillraceException.user("There are no strings '" + name + "' in this batch. Those that were kept are "
                    + strings.keySet() + "; keepStrings() keeps all columns of text.");
        }
        return values.clone();
    }

    /// "image: float32 [32, 3, 224, 224], label: int64 [32]".
    @Override
    public String toString() {
        return tensors.values().stream()
                .map(tensor -> tensor.name() + ": " + tensor)
                .collect(Collectors.joining(", "));
    }
}
