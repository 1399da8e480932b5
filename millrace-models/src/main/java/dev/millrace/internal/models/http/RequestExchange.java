package dev.millrace.internal.models.http;

import dev.millrace.batch.Batch;
import dev.millrace.internal.json.JsonWriter;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How rows become requests, and answers become values. Thread-safe.
public interface RequestExchange {
    /// The rows of each request.
    List<int[]> requests(Batch batch);

    /// The body of a request for these rows; null if they have nothing to ask for, and so nulls for an answer.
    byte @Nullable [] body(Batch batch, int[] rows, JsonWriter out);

    /// So many of the model's tokens it may take.
    long estimate(byte[] body);

    /// For each row the values of the columns, as their builders take them.
    ///
    /// @throws CallFailed when the answer has them not; the sentence goes on behind the endpoint's name
    Object[][] values(Object answer, int rows) throws CallFailed;

    List<String> columns();

    /// The columns with their types; empty if only an answer tells them.
    default Optional<List<Field>> fields() {
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < columns().size(); i++) {
            fields.add(new Field(columns().get(i), type(i)));
        }
        return Optional.of(fields);
    }

    /// @throws dev.millrace.error.MillraceException culprit USER, when no answer has told it and nobody else
    DataType type(int column);
}
