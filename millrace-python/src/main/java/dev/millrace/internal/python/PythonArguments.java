package dev.millrace.internal.python;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.transform.RowJson;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Arguments of a Python function as JSON texts, so that they travel and mean the same on the other side.
///
/// @param positions a JSON array
/// @param names the JSON of each argument by name
public record PythonArguments(String positions, Map<String, String> names) implements Serializable {
    static final PythonArguments NONE = new PythonArguments("[]", new TreeMap<>());

    public PythonArguments withPositions(List<Object> values) {
        return new PythonArguments(json(values), names);
    }

    public PythonArguments with(String name, @Nullable Object value) {
        Map<String, String> more = new TreeMap<>(names);
        more.put(name, value == null ? "null" : json(value));
        return new PythonArguments(positions, more);
    }

    /// A JSON object.
    String byName() {
        StringBuilder text = new StringBuilder("{");
        names.forEach((name, value) -> text.append(text.length() == 1 ? "" : ",")
                .append(RowJson.of(name))
                .append(':')
                .append(value));
        return text.append('}').toString();
    }

    private static String json(Object value) {
        check(value);
        return RowJson.of(value);
    }

    private static void check(@Nullable Object value) {
        switch (value) {
            case null -> {}
            case Boolean _, String _, Byte _, Short _, Integer _, Long _ -> {}
            case Float number when Float.isFinite(number) -> {}
            case Double number when Double.isFinite(number) -> {}
            case List<?> list -> list.forEach(PythonArguments::check);
            case Map<?, ?> map -> map.values().forEach(PythonArguments::check);
            default ->
                throw MillraceException.user("PythonUdf: an argument is a "
                        + value.getClass().getName() + ": " + value
                        + ". Arguments are null, booleans, finite numbers, strings, lists and maps of these.");
        }
    }
}
