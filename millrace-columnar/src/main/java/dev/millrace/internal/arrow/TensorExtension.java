package dev.millrace.internal.arrow;

import dev.millrace.type.DataType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.flatbuf.Field;
import org.jspecify.annotations.Nullable;

/// Arrow's canonical tensor types: `arrow.fixed_shape_tensor` (a fixed list; the shape is in the metadata) and
/// `arrow.variable_shape_tensor` (a struct of data and shape). All other extension types are read as their storage
/// type.
final class TensorExtension {
    static final String NAME_KEY = "ARROW:extension:name";
    static final String METADATA_KEY = "ARROW:extension:metadata";
    private static final String FIXED = "arrow.fixed_shape_tensor";
    private static final String VARIABLE = "arrow.variable_shape_tensor";
    private static final Pattern SHAPE = numbers("shape");
    private static final Pattern PERMUTATION = numbers("permutation");

    private TensorExtension() {}

    private static Pattern numbers(String key) {
        return Pattern.compile("\"" + key + "\"\\s*:\\s*\\[([\\s\\d,]*)]");
    }

    /// The storage field as a tensor if its metadata declares one and its elements are numbers.
    ///
    /// @throws IllegalArgumentException if the declared tensor is inconsistent
    static WireField recognise(WireField storage, Field field) {
        Map<String, String> metadata = new LinkedHashMap<>();
        for (int i = 0; i < field.customMetadataLength(); i++) {
            String value = field.customMetadata(i).value();
            metadata.put(field.customMetadata(i).key(), value == null ? "" : value);
        }
        String parameters = metadata.getOrDefault(METADATA_KEY, "");
        return switch (metadata.get(NAME_KEY)) {
            case FIXED -> fixed(storage, parameters);
            case VARIABLE -> variable(storage, parameters);
            case null, default -> storage;
        };
    }

    private static WireField fixed(WireField storage, String parameters) {
        if (!(storage.layout() instanceof ArrowLayout.FixedLists(int size)) || !isNumbers(storage.child(0))) {
            return storage;
        }
        int[] shape = numbers(SHAPE, parameters);
        if (shape == null) {
            throw new IllegalArgumentException("a tensor without a shape: " + parameters);
        }
        requireRowMajor(parameters);
        DataType.Tensor type = DataType.tensor(storage.child(0).type(), shape);
        if (type.elements() != size) {
            throw new IllegalArgumentException(
                    "a tensor of " + size + " elements with the shape " + Arrays.toString(shape));
        }
        if (type.elements() * width(storage.child(0)) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a tensor of " + size + " elements is larger than 2 GiB");
        }
        return new WireField(storage.name(), type, new ArrowLayout.Tensors(size), storage.children());
    }

    private static WireField variable(WireField storage, String parameters) {
        if (storage.layout() instanceof ArrowLayout.Structs
                && storage.children().size() == 2
                && storage.child(0).layout() instanceof ArrowLayout.Lists
                && isNumbers(storage.child(0).child(0))
                && storage.child(1).layout() instanceof ArrowLayout.FixedLists(int dimensions)
                && storage.child(1).child(0).type().equals(DataType.INT32)) {
            requireRowMajor(parameters);
            DataType type = DataType.variableTensor(storage.child(0).child(0).type(), dimensions);
            return new WireField(storage.name(), type, new ArrowLayout.VariableTensors(), storage.children());
        }
        return storage;
    }

    private static boolean isNumbers(WireField field) {
        return field.type().isNumeric() && field.layout() instanceof ArrowLayout.Fixed;
    }

    private static int width(WireField field) {
        return ((ArrowLayout.Fixed) field.layout()).width();
    }

    private static void requireRowMajor(String parameters) {
        int[] permutation = numbers(PERMUTATION, parameters);
        if (permutation != null
                && !Arrays.equals(
                        permutation, IntStream.range(0, permutation.length).toArray())) {
            throw new IllegalArgumentException("its tensors are permuted " + Arrays.toString(permutation)
                    + "; Millrace reads row-major ones only");
        }
    }

    private static int @Nullable [] numbers(Pattern pattern, String json) {
        Matcher matcher = pattern.matcher(json);
        if (!matcher.find()) {
            return null;
        }
        String list = matcher.group(1).strip();
        return list.isEmpty()
                ? new int[0]
                : Arrays.stream(list.split("\\s*,\\s*"))
                        .mapToInt(Integer::parseInt)
                        .toArray();
    }

    /// The metadata that marks a field as a tensor; empty for other types.
    static Map<String, String> metadata(DataType type) {
        return switch (type) {
            case DataType.Tensor tensor -> marked(FIXED, "{\"shape\":" + json(tensor.shape()) + "}");
            case DataType.VariableTensor _ -> marked(VARIABLE, "{}");
            // Not a tensor.
            default -> Map.of();
        };
    }

    private static Map<String, String> marked(String name, String parameters) {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put(NAME_KEY, name);
        metadata.put(METADATA_KEY, parameters);
        return metadata;
    }

    private static String json(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }
}
