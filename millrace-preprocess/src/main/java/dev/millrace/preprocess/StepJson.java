package dev.millrace.preprocess;

import dev.millrace.column.Columns;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonText;
import dev.millrace.internal.transform.RowJson;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Steps as JSON: an object with a version and a list of steps, each with its kind. Non-finite floats are texts.
final class StepJson {
    private static final long VERSION = 1;

    private StepJson() {}

    public static String write(List<Step> steps) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("millracePreprocessor", VERSION);
        all.put("steps", steps.stream().map(StepJson::write).toList());
        return RowJson.of(all);
    }

    private static Map<String, Object> write(Step step) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(
                "step",
                switch (step) {
                    case Step.Scale _ -> "scale";
                    case Step.Encode _ -> "encode";
                    case Step.Decode _ -> "decode";
                    case Step.OneHot _ -> "oneHot";
                    case Step.Count _ -> "count";
                    case Step.HashCount _ -> "hashCount";
                    case Step.Categorize _ -> "categorize";
                    case Step.Replace _ -> "replace";
                    case Step.Fill _ -> "fill";
                    case Step.Bin _ -> "bin";
                    case Step.Power _ -> "power";
                    case Step.Length _ -> "length";
                    case Step.Divide _ -> "divide";
                    case Step.Combine _ -> "combine";
                });
        fields.put("inputs", step.inputs());
        fields.put("output", step.output());
        switch (step) {
            case Step.Scale scale -> {
                fields.put("center", scale.center());
                fields.put("scale", scale.scale());
            }
            case Step.Encode encode -> write(fields, encode.categories());
            case Step.Decode decode -> write(fields, decode.categories());
            case Step.OneHot oneHot -> write(fields, oneHot.categories());
            case Step.Count count -> {
                write(fields, count.categories());
                fields.put("separator", count.separator());
            }
            case Step.HashCount count -> {
                fields.put("separator", count.separator());
                fields.put("width", count.features());
            }
            case Step.Categorize categorize -> write(fields, categorize.categories());
            case Step.Replace replace -> {
                write(fields, replace.categories());
                fields.put("numbers", replace.numbers());
                fields.put("otherwise", replace.otherwise());
            }
            case Step.Fill fill -> {
                fields.put("type", fill.type().toString());
                fields.put("value", fill.value());
                fields.put("mayBeNaN", fill.mayBeNaN());
            }
            case Step.Bin bin -> {
                fields.put("edges", bin.edges());
                fields.put("right", bin.right());
            }
            case Step.Power power -> {
                fields.put("method", power.method().name());
                fields.put("power", power.power());
            }
            case Step.Length length -> fields.put("norm", length.norm().name());
            case Step.Divide divide -> fields.put("drops", divide.drops());
            case Step.Combine combine -> {
                fields.put("element", combine.element().toString());
                fields.put("places", combine.places());
                fields.put("width", combine.width());
                fields.put("drops", combine.drops());
            }
        }
        return fields;
    }

    private static void write(Map<String, Object> fields, Categories categories) {
        fields.put("type", categories.type().toString());
        fields.put("failOnUnknown", categories.failOnUnknown());
        fields.put("failOnMissing", categories.failOnMissing());
        fields.put("categories", categories.values());
    }

    /// @throws MillraceException culprit DATA, if the text is not a result of [#write]
    public static List<Step> read(String json) {
        try {
            if (!(JsonText.parse(json.getBytes(StandardCharsets.UTF_8)) instanceof Map<?, ?> all)) {
                throw new IllegalArgumentException("it is no JSON object");
            }
            Object version = all.get("millracePreprocessor");
            if (!(version instanceof Long number) || number != VERSION) {
                throw new IllegalArgumentException(
                        version == null ? "'millracePreprocessor' is not in it" : "its version is " + version);
            }
            List<Step> steps = new ArrayList<>();
            for (Object step : list(all, "steps")) {
                steps.add(step((Map<?, ?>) step));
            }
            return steps;
        } catch (RuntimeException e) {
            throw new MillraceException(
                    Culprit.DATA, "This is no preprocessor that this version reads: " + e.getMessage() + ".", e);
        }
    }

    private static Step step(Map<?, ?> fields) {
        List<String> inputs =
                list(fields, "inputs").stream().map(String.class::cast).toList();
        String input = inputs.getFirst();
        String output = text(fields, "output");
        return switch (text(fields, "step")) {
            case "scale" ->
                new Step.Scale(
                        input, output, requireNumber("center", fields.get("center")), number(fields.get("scale")));
            case "encode" -> new Step.Encode(input, output, categories(fields));
            case "decode" -> new Step.Decode(input, output, categories(fields));
            case "oneHot" -> new Step.OneHot(input, output, categories(fields));
            case "count" -> new Step.Count(input, output, text(fields, "separator"), categories(fields));
            case "hashCount" -> new Step.HashCount(input, output, text(fields, "separator"), width(fields));
            case "categorize" -> new Step.Categorize(input, output, categories(fields));
            case "replace" ->
                new Step.Replace(
                        input,
                        output,
                        categories(fields),
                        list(fields, "numbers").stream()
                                .map(number -> requireNumber("numbers", number))
                                .toList(),
                        requireNumber("otherwise", fields.get("otherwise")));
            case "fill" -> {
                DataType type = TypeText.parse(text(fields, "type"));
                Serializable value = (Serializable) value(fields.get("value"), type);
                yield new Step.Fill(input, output, type, value, truth(fields, "mayBeNaN"));
            }
            case "bin" ->
                new Step.Bin(
                        input,
                        output,
                        list(fields, "edges").stream()
                                .map(edge -> requireNumber("edges", edge))
                                .toList(),
                        truth(fields, "right"));
            case "power" ->
                new Step.Power(
                        input,
                        output,
                        PowerTransformer.Method.valueOf(text(fields, "method")),
                        requireNumber("power", fields.get("power")));
            case "length" -> new Step.Length(inputs, output, Normalizer.Norm.valueOf(text(fields, "norm")));
            case "divide" -> new Step.Divide(input, output, inputs.getLast(), truth(fields, "drops"));
            case "combine" ->
                new Step.Combine(
                        inputs,
                        output,
                        TypeText.parse(text(fields, "element")),
                        list(fields, "places").stream()
                                .map(place -> ((Long) place).intValue())
                                .toList(),
                        width(fields),
                        truth(fields, "drops"));
            default -> throw new IllegalArgumentException("there is no step '" + fields.get("step") + "'");
        };
    }

    private static Categories categories(Map<?, ?> fields) {
        DataType type = TypeText.parse(text(fields, "type"));
        List<Object> values = new ArrayList<>();
        for (Object value : list(fields, "categories")) {
            values.add(value(value, type));
        }
        return new Categories(type, values, truth(fields, "failOnUnknown"), truth(fields, "failOnMissing"));
    }

    /// A value as a column of the type returns it.
    private static @Nullable Object value(@Nullable Object parsed, DataType type) {
        Object fitting = type instanceof DataType.Float ? number(parsed) : JsonText.fit(parsed, type);
        return fitting == null
                ? null
                : Columns.of(Allocator.collected("a preprocessor"), type, List.of(fitting))
                        .value(0);
    }

    private static @Nullable Double number(@Nullable Object parsed) {
        return switch (parsed) {
            case null -> null;
            case Number number -> number.doubleValue();
            default -> Double.valueOf((String) parsed);
        };
    }

    private static double requireNumber(String name, @Nullable Object parsed) {
        Double number = number(parsed);
        if (number == null) {
            throw missing(name);
        }
        return number;
    }

    private static int width(Map<?, ?> fields) {
        if (!(fields.get("width") instanceof Long width)) {
            throw missing("width");
        }
        return width.intValue();
    }

    private static String text(Map<?, ?> fields, String name) {
        if (!(fields.get(name) instanceof String text)) {
            throw missing(name);
        }
        return text;
    }

    private static List<?> list(Map<?, ?> fields, String name) {
        if (!(fields.get(name) instanceof List<?> list)) {
            throw missing(name);
        }
        return list;
    }

    private static IllegalArgumentException missing(String name) {
        return new IllegalArgumentException("there is no '" + name + "' where one is needed");
    }

    private static boolean truth(Map<?, ?> fields, String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }
}
