package dev.millrace.models;

import dev.millrace.internal.models.http.AnswerColumn;
import dev.millrace.internal.models.http.HttpSettings;
import dev.millrace.internal.models.http.RequestExchange;
import dev.millrace.internal.models.http.RowExchange;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A server that accepts and returns JSON: one request per row. See [HttpModel#json].
///
/// ```java
/// HttpModel.json("http://localhost:8080/predict")
///         .request("""
///                 {"inputs": "${text}", "limit": "${n}", "title": "About ${name}"}""")
///         .output("label", "/result/0/label")
///         .output("score", "/result/0/score", DataType.FLOAT64)
/// ```
public final class HttpJson extends HttpModel<HttpJson> {
    private static final long serialVersionUID = 1L;

    private final @Nullable String request;
    private final List<AnswerColumn> outputs;

    private HttpJson(HttpSettings settings, @Nullable String request, List<AnswerColumn> outputs) {
        super(settings);
        this.request = request;
        this.outputs = outputs;
    }

    static HttpJson of(HttpSettings settings) {
        return new HttpJson(settings, null, List.of());
    }

    /// The body: JSON in which `"${column}"` is replaced by the value of a column of any type (numbers, lists,
    /// tensors), and `${column}` within a longer string by its text.
    public HttpJson request(String template) {
        RowExchange.json(template, List.of());
        return new HttpJson(settings, template, outputs);
    }

    /// Adds a column of strings; values other than strings are stored as JSON text.
    ///
    /// @param pointer a JSON pointer into the answer: `/result/0/label`
    public HttpJson output(String column, String pointer) {
        return output(column, pointer, DataType.UTF8);
    }

    /// Adds a column of the given type; a value that does not fit is an error of the row.
    public HttpJson output(String column, String pointer, DataType type) {
        List<AnswerColumn> more = new ArrayList<>(outputs);
        more.add(new AnswerColumn(column, pointer, type));
        return new HttpJson(settings, request, List.copyOf(more));
    }

    @Override
    HttpJson with(HttpSettings changed) {
        return new HttpJson(changed, request, outputs);
    }

    /// @throws dev.millrace.error.MillraceException culprit USER, if the request or the outputs are missing
    @Override
    RequestExchange exchange() {
        require(request != null, "A model that speaks JSON needs its request: json(address).request(template).");
        require(!outputs.isEmpty(), "A model that speaks JSON needs an output: json(address).output(column, pointer).");
        return RowExchange.json(Objects.requireNonNull(request), outputs);
    }
}
