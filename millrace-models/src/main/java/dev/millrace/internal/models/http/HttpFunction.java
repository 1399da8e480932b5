package dev.millrace.internal.models.http;

import dev.millrace.batch.Batch;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.json.JsonWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Sends requests for the rows of a batch and adds the answers as columns. Owned by one actor.
public final class HttpFunction implements BatchFunction, AutoCloseable {
    private static final long serialVersionUID = 1L;

    private final HttpSettings settings;
    private final transient RequestExchange exchange;
    private final transient HttpCaller caller;
    private final transient JsonWriter writer = new JsonWriter();

    public HttpFunction(HttpSettings settings, RequestExchange exchange) {
        this.settings = settings;
        this.exchange = exchange;
        RateLimiter limiter = SharedLimiters.take(settings);
        try {
            this.caller = new HttpCaller(settings, limiter, WaitClock.SYSTEM);
        } catch (RuntimeException e) {
            SharedLimiters.giveBack(settings);
            throw e;
        }
    }

    /// The results for each row of a batch. A row is accessed by one thread only until all requests have ended.
    private record Answers(Object[][] values, String[] errors) {}

    @Override
    public Batch apply(Batch batch) throws Exception {
        int rows = Math.toIntExact(batch.rows());
        List<int[]> requests = exchange.requests(batch);
        Answers answers = new Answers(new Object[rows][], new String[rows]);
        ParallelRequests.run("request to " + caller.name(), requests.size(), settings.concurrency(), i -> {
            int[] asked = requests.get(i);
            byte[] body = exchange.body(batch, asked, writer);
            return body == null ? null : () -> ask(batch, asked, body, answers);
        });
        return columns(batch, answers);
    }

    private void ask(Batch batch, int[] rows, byte[] body, Answers answers) throws InterruptedException {
        try {
            Object answer = caller.call(body, exchange.estimate(body));
            Object[][] values = values(answer, rows.length);
            for (int i = 0; i < rows.length; i++) {
                answers.values[rows[i]] = values[i];
            }
        } catch (CallFailed e) {
            if (rows.length > 1 && e.blamesContent()) {
                int half = rows.length / 2;
                for (int[] part : List.of(Arrays.copyOf(rows, half), Arrays.copyOfRange(rows, half, rows.length))) {
                    byte[] less = Objects.requireNonNull(
                            exchange.body(batch, part, new JsonWriter()), "some of the rows of a body have one");
                    ask(batch, part, less, answers);
                }
                return;
            }
            if (settings.onError() == HttpSettings.RowErrors.FAIL) {
                throw new MillraceException(
                        e.isPassing() ? Culprit.RESOURCES : Culprit.DATA,
                        e.getMessage() + where(rows, answers.errors.length));
            }
            for (int row : rows) {
                answers.errors[row] = e.getMessage();
            }
        }
    }

    private Object[][] values(Object answer, int rows) throws CallFailed {
        try {
            return exchange.values(answer, rows);
        } catch (CallFailed e) {
            throw new CallFailed(caller.redact(caller.name() + " " + e.getMessage()), 200, false);
        }
    }

    private static String where(int[] rows, int all) {
        String which = rows.length == 1
                ? "row " + (rows[0] + 1)
                : "rows " + (rows[0] + 1) + " to " + (rows[rows.length - 1] + 1);
        return " (" + which + " of the batch's " + all + ")";
    }

    private Batch columns(Batch batch, Answers answers) {
        Batch made = batch;
        List<String> names = exchange.columns();
        for (int i = 0; i < names.size(); i++) {
            ColumnBuilder builder = batch.newColumn(exchange.type(i));
            for (Object[] values : answers.values) {
                builder.append(values == null ? null : values[i]);
            }
            made = made.with(names.get(i), builder);
        }
        if (settings.errorColumn() != null) {
            StringColumnBuilder errors = batch.newStrings();
            for (String error : answers.errors) {
                errors.append((Object) error);
            }
            made = made.with(settings.errorColumn(), errors);
        }
        return made;
    }

    @Override
    public void close() {
        caller.close();
        SharedLimiters.giveBack(settings);
    }
}
