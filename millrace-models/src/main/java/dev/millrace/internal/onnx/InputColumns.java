package dev.millrace.internal.onnx;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.wording.SimilarNames;
import dev.millrace.models.tensor.ModelTensor;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Chooses the column of each input: the one named for it, the one of the same name, or, for a model with one input,
/// the only column that fits.
final class InputColumns {
    private final String model;
    private final List<ModelTensor> inputs;
    private final Map<String, String> named;

    /// @param named the column by the name of the input; under "" that of the only input
    InputColumns(String model, List<ModelTensor> inputs, Map<String, String> named) {
        this.model = model;
        this.inputs = inputs;
        this.named = named;
        checkNames();
    }

    private void checkNames() {
        for (String input : named.keySet()) {
            if (input.isEmpty() && inputs.size() != 1) {
                throw MillraceException.user(model + " has " + inputs.size() + " inputs, " + list(inputs)
                        + ": say which of them takes column '" + named.get(input)
                        + "', with input(\"name\", \"column\").");
            }
            if (!input.isEmpty()
                    && inputs.stream().noneMatch(known -> known.name().equals(input))) {
                throw MillraceException.user(
                        model + " has no input '" + input + "'. Its inputs are " + list(inputs) + ".");
            }
        }
        for (ModelTensor input : inputs) {
            if (input.element() == null) {
                throw MillraceException.user(
                        model + ": its input '" + input.name() + "' is no tensor of a type that columns have.");
            }
            if (!input.element().equals(DataType.UTF8) && ElementTypes.overMemory(input.element()) == null) {
                throw MillraceException.user(model + ": its input " + input + " cannot be given from Java: onnxruntime"
                        + " has no " + input.element() + " there. Export it with a signed type.");
            }
            if (input.shape().isEmpty()) {
                throw MillraceException.user(model + ": its input " + input + " is one value, without a dimension for"
                        + " the rows of a batch. Export the model with a batch dimension.");
            }
        }
    }

    /// The column of each input, in the order of inputs.
    Map<ModelTensor, String> choose(Schema columns) {
        Map<ModelTensor, String> chosen = new LinkedHashMap<>();
        for (ModelTensor input : inputs) {
            String column = column(input, columns);
            check(input, column, columns.type(column));
            chosen.put(input, column);
        }
        return chosen;
    }

    private String column(ModelTensor input, Schema columns) {
        String column = named.getOrDefault(input.name(), inputs.size() == 1 ? named.get("") : null);
        if (column != null) {
            if (!columns.contains(column)) {
                throw MillraceException.user(model + ": there is no column '" + column + "' for its input " + input
                        + "." + SimilarNames.suggestion(column, columns.names()) + " The columns are "
                        + describe(columns) + ".");
            }
            return column;
        }
        if (columns.contains(input.name())) {
            return input.name();
        }
        List<String> fitting = new ArrayList<>();
        if (inputs.size() == 1) {
            for (Field field : columns.fields()) {
                if (RowTypes.of(field.type()).filter(row -> row.fits(input)).isPresent()) {
                    fitting.add(field.name());
                }
            }
        }
        if (fitting.size() == 1) {
            return fitting.getFirst();
        }
        throw MillraceException.user(model + ": which column is its input " + input + "? "
                + (fitting.isEmpty()
                        ? "None of that name" + (inputs.size() == 1 ? " or of that type and shape" : "") + " is there: "
                                + describe(columns) + "."
                        : "Several fit: " + String.join(", ", fitting) + ".")
                + " Say it with input(\"" + input.name() + "\", \"column\").");
    }

    private void check(ModelTensor input, String column, DataType type) {
        if (RowTypes.of(type).filter(row -> row.fits(input)).isEmpty()) {
            throw MillraceException.user(model + ": column '" + column + "' is " + type + ", and the input '"
                    + input.name() + "' takes " + input.typeText() + "." + RowTypes.advice(type, input));
        }
    }

    static String list(List<ModelTensor> tensors) {
        return tensors.stream().map(ModelTensor::toString).collect(Collectors.joining(", "));
    }

    private static String describe(Schema columns) {
        return columns.fields().stream()
                .map(field -> "'" + field.name() + "' (" + field.type() + ")")
                .collect(Collectors.joining(", "));
    }
}
