package dev.millrace.internal.models.http;

import dev.millrace.batch.Batch;
import dev.millrace.internal.json.JsonWriter;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Converts rows to requests, and answers to values. Thread-safe.
public interface RequestExchange {
    /// The rows of each request.
    List<int[]> requests(Batch batch);

    /// The body of a request for these rows; null if no request is needed, in which case the results are null.
    byte @Nullable [] body(Batch batch, int[] rows, JsonWriter out);

    /// The estimated number of model tokens that the request takes.
    long estimate(byte[] body);

    /// For each row the values of the columns, in the form that their builders take.
    ///
    /// @throws CallFailed if the answer does not contain them; the message continues a sentence that begins with the
    ///     endpoint's name
    Object[][] values(Object answer, int rows) throws CallFailed;

    List<String> columns();

    /// The columns with their types; empty if they are known only from an answer.
    default Optional<List<Field>> fields() {
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < columns().size(); i++) {
            fields.add(new Field(columns().get(i), type(i)));
        }
        return Optional.of(fields);
    }

    /// @throws dev.millrace.error.MillraceException culprit USER, if the type was not declared and no answer has
    ///     determined it
    DataType type(int column);
}
