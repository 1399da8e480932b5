package dev.millrace.models;

import dev.millrace.internal.models.http.AnswerColumn;
import dev.millrace.internal.models.http.HttpSettings;
import dev.millrace.internal.models.http.RequestExchange;
import dev.millrace.internal.models.http.RowExchange;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A chat model behind OpenAI's API: one request per row; the text of the answer is stored in a column. See
/// [HttpModel#chat].
public final class HttpChat extends HttpModel<HttpChat> {
    private static final long serialVersionUID = 1L;

    private final String model;
    private final @Nullable String system;
    private final String prompt;
    private final String target;
    private final Map<String, String> options;
    private final List<AnswerColumn> outputs;

    private HttpChat(
            HttpSettings settings,
            String model,
            @Nullable String system,
            String prompt,
            String target,
            Map<String, String> options,
            List<AnswerColumn> outputs) {
        super(settings);
        this.model = model;
        this.system = system;
        this.prompt = prompt;
        this.target = target;
        this.options = options;
        this.outputs = outputs;
    }

    static HttpChat of(HttpSettings settings, String model) {
        return new HttpChat(settings, model, null, "${text}", "answer", Map.of(), List.of());
    }

    /// The user prompt, with `${column}` as placeholder for values of the row; `${text}` by default.
    public HttpChat prompt(String template) {
        return new HttpChat(settings, model, system, template, target, options, outputs).checked();
    }

    /// The system prompt, also a template.
    public HttpChat system(String template) {
        return new HttpChat(settings, model, template, prompt, target, options, outputs).checked();
    }

    /// The column of the answers; `answer` by default.
    public HttpChat into(String column) {
        return new HttpChat(settings, model, system, prompt, column, options, outputs).checked();
    }

    /// A parameter of the API: `option("temperature", 0)`, `option("max_tokens", 100)`,
    /// `option("response_format", Map.of("type", "json_object"))`.
    public HttpChat option(String name, Object value) {
        return new HttpChat(settings, model, system, prompt, target, HttpOptions.with(options, name, value), outputs);
    }

    /// Adds a column from another part of the answer: `output("tokens", "/usage/total_tokens", DataType.INT64)`.
    ///
    /// @param pointer a JSON pointer
    public HttpChat output(String column, String pointer, DataType type) {
        List<AnswerColumn> more = new ArrayList<>(outputs);
        more.add(new AnswerColumn(column, pointer, type));
        return new HttpChat(settings, model, system, prompt, target, options, List.copyOf(more));
    }

    private HttpChat checked() {
        exchange();
        return this;
    }

    @Override
    HttpChat with(HttpSettings changed) {
        return new HttpChat(changed, model, system, prompt, target, options, outputs);
    }

    @Override
    RequestExchange exchange() {
        List<AnswerColumn> all = new ArrayList<>();
        all.add(new AnswerColumn(target, "/choices/0/message/content", DataType.UTF8));
        all.addAll(outputs);
        return RowExchange.chat(model, system, prompt, options, all);
    }
}
