package dev.millrace.models;

import dev.millrace.internal.models.http.EmbeddingsExchange;
import dev.millrace.internal.models.http.HttpSettings;
import dev.millrace.internal.models.http.RequestExchange;
import java.util.Map;

/// An embedding model behind OpenAI's API: several texts per request; the embeddings are stored in a column of tensors
/// (float32). See [HttpModel#embeddings].
///
/// A request that is rejected for its content (400, 413, 422) is split in halves and sent again, so that only a text
/// that the server does not accept fails.
public final class HttpEmbeddings extends HttpModel<HttpEmbeddings> {
    private static final long serialVersionUID = 1L;

    private final String model;
    private final String column;
    private final String target;
    private final int rowsPerRequest;
    private final int size;
    private final Map<String, String> options;

    private HttpEmbeddings(
            HttpSettings settings,
            String model,
            String column,
            String target,
            int rowsPerRequest,
            int size,
            Map<String, String> options) {
        super(settings);
        this.model = model;
        this.column = column;
        this.target = target;
        this.rowsPerRequest = rowsPerRequest;
        this.size = size;
        this.options = options;
    }

    static HttpEmbeddings of(HttpSettings settings, String model) {
        return new HttpEmbeddings(settings, model, "text", "embedding", 64, 0, Map.of());
    }

    /// The column of texts; `text` by default.
    public HttpEmbeddings column(String name) {
        return new HttpEmbeddings(settings, model, name, target, rowsPerRequest, size, options);
    }

    /// The column of embeddings; `embedding` by default.
    public HttpEmbeddings into(String name) {
        return new HttpEmbeddings(settings, model, column, name, rowsPerRequest, size, options);
    }

    /// The number of texts per request; 64 by default.
    public HttpEmbeddings rowsPerRequest(int rows) {
        require(rows >= 1, "rowsPerRequest must be 1 or more, not " + rows + ".");
        return new HttpEmbeddings(settings, model, column, target, rows, size, options);
    }

    /// The length of an embedding. By default the first answer determines it; then a batch without any answer fails.
    public HttpEmbeddings size(int numbers) {
        require(numbers >= 1, "size must be 1 or more numbers, not " + numbers + ".");
        return new HttpEmbeddings(settings, model, column, target, rowsPerRequest, numbers, options);
    }

    /// A parameter of the API: `option("encoding_format", "base64")`, which is shorter and faster if the server
    /// supports it.
    public HttpEmbeddings option(String name, Object value) {
        return new HttpEmbeddings(
                settings, model, column, target, rowsPerRequest, size, HttpOptions.with(options, name, value));
    }

    @Override
    HttpEmbeddings with(HttpSettings changed) {
        return new HttpEmbeddings(changed, model, column, target, rowsPerRequest, size, options);
    }

    @Override
    RequestExchange exchange() {
        return new EmbeddingsExchange(model, options, column, target, rowsPerRequest, size);
    }
}
