package dev.millrace.models;

import dev.millrace.internal.models.http.EmbeddingsExchange;
import dev.millrace.internal.models.http.HttpSettings;
import dev.millrace.internal.models.http.RequestExchange;
import java.util.Map;

/// An embedding model behind OpenAI's API: several texts in a request, the embeddings into a column of tensors
/// (float32). See [HttpModel#embeddings].
///
/// A request that is refused for its content (400, 413, 422) is asked again in halves, so that a text which the server
/// does not take fails alone.
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

    /// The column of texts; `text` without it.
    public HttpEmbeddings column(String name) {
        return new HttpEmbeddings(settings, model, name, target, rowsPerRequest, size, options);
    }

    /// The column of embeddings; `embedding` without it.
    public HttpEmbeddings into(String name) {
        return new HttpEmbeddings(settings, model, column, name, rowsPerRequest, size, options);
    }

    /// Texts in one request; 64 without it.
    public HttpEmbeddings rowsPerRequest(int rows) {
        require(rows >= 1, "rowsPerRequest must be 1 or more, not " + rows + ".");
        return new HttpEmbeddings(settings, model, column, target, rows, size, options);
    }

    /// How many numbers an embedding has. Without it the first answer tells; a batch of which nothing is answered then
    /// fails.
    public HttpEmbeddings size(int numbers) {
        require(numbers >= 1, "size must be 1 or more numbers, not " + numbers + ".");
        return new HttpEmbeddings(settings, model, column, target, rowsPerRequest, numbers, options);
    }

    /// A parameter of the API: `option("encoding_format", "base64")`, which is shorter and faster where the server has
    /// it.
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
