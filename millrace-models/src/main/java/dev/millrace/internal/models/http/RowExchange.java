package dev.millrace.internal.models.http;

import dev.millrace.batch.Batch;
import dev.millrace.internal.json.JsonText;
import dev.millrace.internal.json.JsonWriter;
import dev.millrace.type.DataType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Sends one request per row: for chats, and for any API that uses JSON.
public final class RowExchange implements RequestExchange {
    private static final int BYTES_PER_TOKEN = 4;

    private final JsonTemplate template;
    private final List<AnswerColumn> outputs;
    private final long answerTokens;

    private RowExchange(JsonTemplate template, List<AnswerColumn> outputs, long answerTokens) {
        this.template = template;
        this.outputs = outputs;
        this.answerTokens = answerTokens;
    }

    /// @param request JSON with placeholders for columns
    public static RowExchange json(String request, List<AnswerColumn> outputs) {
        return new RowExchange(JsonTemplate.parse(request), outputs, 0);
    }

    /// @param system null: no system prompt
    /// @param options parameters of the API with their values as JSON
    public static RowExchange chat(
            String model,
            @Nullable String system,
            String prompt,
            Map<String, String> options,
            List<AnswerColumn> outputs) {
        List<Object> messages = new ArrayList<>();
        if (system != null) {
            messages.add(message("system", system));
        }
        messages.add(message("user", prompt));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("model", model);
        body.put("messages", messages);
        options.forEach((name, json) -> body.put(name, parse(json)));
        long answer = 0;
        for (String limit : List.of("max_tokens", "max_completion_tokens")) {
            answer = Math.max(answer, body.get(limit) instanceof Long most ? most : 0);
        }
        return new RowExchange(new JsonTemplate(body), outputs, answer);
    }

    static @Nullable Object parse(String json) {
        return JsonText.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, Object> message(String role, String content) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("role", role);
        message.put("content", TextTemplate.of(content, true));
        return message;
    }

    @Override
    public List<int[]> requests(Batch batch) {
        List<int[]> requests = new ArrayList<>();
        for (int row = 0; row < batch.rows(); row++) {
            requests.add(new int[] {row});
        }
        return requests;
    }

    @Override
    public byte @Nullable [] body(Batch batch, int[] rows, JsonWriter out) {
        return template.fill(batch, rows[0], out);
    }

    @Override
    public long estimate(byte[] body) {
        return body.length / BYTES_PER_TOKEN + 1 + answerTokens;
    }

    @Override
    public Object[][] values(Object answer, int rows) throws CallFailed {
        Object[] values = new Object[outputs.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = outputs.get(i).of(answer);
        }
        return new Object[][] {values};
    }

    @Override
    public List<String> columns() {
        return outputs.stream().map(AnswerColumn::column).toList();
    }

    @Override
    public DataType type(int column) {
        return outputs.get(column).type();
    }
}
