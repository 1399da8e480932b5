package dev.millrace.internal.onnx;

import dev.millrace.error.MillraceException;
import dev.millrace.models.tensor.ModelTensor;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Determines the columns of a model's result: those passed through, and those of its outputs. The same rules apply to
/// batches and, before a run, to schemas.
public final class ResultColumns {
    private final String name;
    private final OnnxOptions options;
    private final InputColumns inputs;
    private final List<ModelTensor> outputs;

    /// @throws MillraceException culprit USER, if the options contain a name that the model does not have
    ResultColumns(OnnxOptions options, List<ModelTensor> inputs, List<ModelTensor> outputs) {
        this.name = options.fileName();
        this.options = options;
        this.inputs = new InputColumns(name, inputs, options.columns().inputs());
        this.outputs = wanted(outputs);
        for (ModelTensor output : this.outputs) {
            if (output.element() == null && !output.shape().isEmpty()) {
                throw MillraceException.user(name + ": its output '" + output.name() + "' is a tensor of a type that no"
                        + " column has. Choose others with output(...), or export the model with another type.");
            }
        }
    }

    /// The schema of the results for batches with these columns, according to the declarations in the model file.
    ///
    /// @return empty if the file cannot be read here, or a shape is known only after a run
    /// @throws MillraceException culprit USER, if these columns do not fit the model
    public static Optional<Schema> declared(OnnxOptions options, Schema input) {
        return ModelHeader.read(options.path())
                .flatMap(header -> new ResultColumns(options, header.inputs(), header.outputs()).schema(input));
    }

    private List<ModelTensor> wanted(List<ModelTensor> all) {
        Map<String, String> named = options.columns().outputs();
        if (named.isEmpty()) {
            return all;
        }
        List<ModelTensor> found = new ArrayList<>();
        for (String output : named.keySet()) {
            found.add(all.stream()
                    .filter(known -> known.name().equals(output))
                    .findFirst()
                    .orElseThrow(() -> MillraceException.user(name + " has no output '" + output + "'. Its outputs are "
                            + InputColumns.list(all) + ".")));
        }
        return List.copyOf(found);
    }

    /// The outputs that become columns.
    List<ModelTensor> outputs() {
        return outputs;
    }

    /// The column of each input.
    Map<ModelTensor, String> choose(Schema columns) {
        return inputs.choose(columns);
    }

    /// Whether a column of the batch is in the result. Tensors that the model reads are not, unless they are to be
    /// kept.
    boolean passes(String column, DataType type, Map<ModelTensor, String> taken) {
        boolean isLarge = taken.containsValue(column) && !isPlain(type);
        return !options.columns().drop().contains(column)
                && (!isLarge || options.columns().keep().contains(column));
    }

    /// The column name of an output that is added unchanged.
    String columnOf(ModelTensor output) {
        return options.columns().outputs().getOrDefault(output.name(), output.name());
    }

    /// The full name of a new column.
    ///
    /// @param isTaken whether the result already has a column of this name
    String newName(Predicate<String> isTaken, String column) {
        String full = options.columns().prefix() + column;
        if (isTaken.test(full)) {
            throw MillraceException.user(name + " makes a column '" + full + "', and there is one already. Rename it,"
                    + " leave it out with drop(\"" + full + "\"), or give the model's columns a prefix(...).");
        }
        return full;
    }

    private Optional<Schema> schema(Schema input) {
        Map<ModelTensor, String> taken = choose(input);
        List<Field> fields = new ArrayList<>();
        for (Field field : input.fields()) {
            if (passes(field.name(), field.type(), taken)) {
                fields.add(field);
            }
        }
        ModelTensor scores = options.scores().isAsked() ? ClassScores.output(name, options.scores(), outputs) : null;
        for (ModelTensor output : outputs) {
            boolean isClasses = output.equals(scores) && options.scores().topK() > 0;
            Optional<List<Field>> made = isClasses
                    ? Optional.of(ClassScores.fields(options.scores()))
                    : type(output).map(type -> List.of(new Field(columnOf(output), type)));
            if (made.isEmpty()) {
                return Optional.empty();
            }
            for (Field field : made.get()) {
                Predicate<String> isTaken =
                        other -> fields.stream().anyMatch(known -> known.name().equals(other));
                fields.add(new Field(newName(isTaken, field.name()), field.type()));
            }
        }
        return Optional.of(Schema.of(fields));
    }

    /// Empty if the file does not declare the shape of a row.
    private static Optional<DataType> type(ModelTensor output) {
        return output.shape().isEmpty() || output.rowShape().contains(ModelTensor.OPEN)
                ? Optional.empty()
                : Optional.of(BatchOutput.typeOf(ElementTypes.of(output), output.rowShape()));
    }

    private static boolean isPlain(DataType type) {
        return type instanceof DataType.Int
                || type instanceof DataType.Float
                || type instanceof DataType.Bool
                || type instanceof DataType.Utf8
                || type instanceof DataType.Dictionary;
    }
}
