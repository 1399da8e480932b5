package dev.millrace.models;

import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Factory;
import dev.millrace.function.OutputSchema;
import dev.millrace.internal.models.AddedColumns;
import dev.millrace.internal.models.http.ApiKey;
import dev.millrace.internal.models.http.HttpFunction;
import dev.millrace.internal.models.http.HttpSettings;
import dev.millrace.internal.models.http.HttpSettings.RowErrors;
import dev.millrace.internal.models.http.RequestExchange;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A model behind HTTP, as a function over batches: any server with OpenAI's API, or one that accepts and returns JSON.
///
/// ```java
/// dataset.mapBatches(
///         HttpModel.chat("https://api.openai.com/v1", "gpt-4.1-mini")
///                 .apiKeyFrom("OPENAI_API_KEY")
///                 .prompt("Say in one sentence what this review complains about: ${review}")
///                 .into("complaint")
///                 .concurrency(32)
///                 .requestsPerMinute(500)
///                 .errorsInto("error"),
///         Compute.actors(1).batchSize(256).cpus(0))
/// ```
///
/// Requests of a batch are sent concurrently, up to [#concurrency] at once. The limits per minute apply to all actors
/// of this process together. Transient failures (408, 425, 429, 5xx, no answer) are retried, after the delay that the
/// server requests or with exponential backoff. A rejected key (401) always fails the run; any other failure is an
/// error of the row, see [#errorsInto]. Rows with a null in a column that the text uses get nulls, without a request.
///
/// Immutable: every method returns a modified copy. The key is not shown in any message, plan or text.
///
/// @param <M> the kind of model
public abstract sealed class HttpModel<M extends HttpModel<M>> implements Factory<BatchFunction>, OutputSchema
        permits HttpChat, HttpEmbeddings, HttpJson {
    private static final long serialVersionUID = 1L;

    final HttpSettings settings;

    HttpModel(HttpSettings settings) {
        this.settings = settings;
    }

    /// A chat model.
    ///
    /// @param base the base URL of an API like OpenAI's: `https://api.openai.com/v1`
    public static HttpChat chat(String base, String model) {
        return HttpChat.of(HttpSettings.of(path(base, "/chat/completions")), model);
    }

    /// A model that computes embeddings of texts.
    ///
    /// @param base the base URL of an API like OpenAI's: `http://localhost:11434/v1`
    public static HttpEmbeddings embeddings(String base, String model) {
        return HttpEmbeddings.of(HttpSettings.of(path(base, "/embeddings")), model);
    }

    /// A model behind an API of its own.
    ///
    /// @param address a URL that accepts a JSON document and answers with one
    public static HttpJson json(String address) {
        return HttpJson.of(HttpSettings.of(address));
    }

    private static String path(String base, String path) {
        int query = base.indexOf('?') < 0 ? base.length() : base.indexOf('?');
        String trimmed = base.substring(0, query).strip().replaceAll("/+$", "");
        return (trimmed.endsWith(path) ? trimmed : trimmed + path) + base.substring(query);
    }

    /// Reads the key from an environment variable of the machine on which the actor runs, and sends it as a bearer
    /// token.
    public M apiKeyFrom(String variable) {
        return with(settings.withKey(ApiKey.variable(variable), null));
    }

    /// Like [#apiKeyFrom(String)], for an API that expects the key in another header.
    ///
    /// @param header the header that contains the key: `x-api-key`
    public M apiKeyFrom(String variable, String header) {
        return with(settings.withKey(ApiKey.variable(variable), header));
    }

    /// The key itself, sent as a bearer token. It is serialised with the function.
    public M apiKey(String key) {
        return with(settings.withKey(ApiKey.of(key), null));
    }

    /// A header of every request. Its value is not shown in messages either.
    public M header(String name, String value) {
        if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")
                || !value.chars().allMatch(c -> c >= ' ' && c < 0x7F || c == '\t')) {
            throw MillraceException.user("header: the name or the value of '" + name + "' is none of HTTP's.");
        }
        Map<String, String> headers = new LinkedHashMap<>(settings.headers());
        headers.put(name, value);
        return with(settings.withHeaders(headers));
    }

    /// The maximum number of concurrent requests per actor; 8 by default.
    public M concurrency(int requests) {
        require(requests >= 1, "concurrency must be 1 or more requests, not " + requests + ".");
        return with(settings.withLimits(requests, settings.requestsPerMinute(), settings.tokensPerMinute()));
    }

    /// The maximum number of requests per minute, spread evenly; unlimited by default. On a cluster each node sends its
    /// equal part, which follows nodes that join and are lost; likewise for tokens.
    public M requestsPerMinute(double requests) {
        require(requests > 0, "requestsPerMinute must be more than 0, not " + requests + ".");
        return with(settings.withLimits(settings.concurrency(), requests, settings.tokensPerMinute()));
    }

    /// The maximum number of model tokens per minute, of prompts and answers: estimated as a quarter of the bytes of a
    /// request plus `max_tokens`, and corrected by the usage that the answer reports.
    public M tokensPerMinute(double tokens) {
        require(tokens > 0, "tokensPerMinute must be more than 0, not " + tokens + ".");
        return with(settings.withLimits(settings.concurrency(), settings.requestsPerMinute(), tokens));
    }

    /// The timeout for a complete answer; 60 seconds by default.
    public M timeout(Duration time) {
        require(time.isPositive(), "timeout must be more than nothing, not " + time + ".");
        return with(settings.withPatience(time, settings.retries()));
    }

    /// The number of retries after the first attempt; 5 by default.
    public M retries(int tries) {
        require(tries >= 0, "retries must be 0 or more, not " + tries + ".");
        return with(settings.withPatience(settings.timeout(), tries));
    }

    /// A row whose request fails gets nulls, and the error message in this column, which is null for all other rows.
    public M errorsInto(String column) {
        require(!column.isEmpty(), "errorsInto needs the name of a column.");
        return with(settings.withErrors(RowErrors.NULLS, column));
    }

    /// A row whose request fails gets nulls. Without this or [#errorsInto], it fails the run.
    public M nullsOnError() {
        return with(settings.withErrors(RowErrors.NULLS, null));
    }

    abstract M with(HttpSettings changed);

    abstract RequestExchange exchange();

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw MillraceException.user(otherwise);
        }
    }

    @Override
    public BatchFunction create() {
        return new HttpFunction(settings, exchange());
    }

    /// The columns of the batch, then those of the answers. Empty for embeddings whose length is not set
    /// ([HttpEmbeddings#size]).
    @Override
    public Optional<Schema> outputSchema(Schema input) {
        return exchange().fields().map(answers -> {
            List<Field> added = new ArrayList<>(answers);
            if (settings.errorColumn() != null) {
                added.add(new Field(settings.errorColumn(), DataType.UTF8));
            }
            return AddedColumns.to(input, added);
        });
    }
}
