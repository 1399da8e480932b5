package dev.millrace.internal.models.http;

import dev.millrace.batch.Batch;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonWriter;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Sends several rows per request to OpenAI's embeddings API. Embeddings are answered as arrays of numbers, or as
/// base64 of float32.
public final class EmbeddingsExchange implements RequestExchange {
    private static final int BYTES_PER_TOKEN = 4;

    private final String model;
    private final Map<String, String> options;
    private final String column;
    private final String target;
    private final int rowsPerRequest;
    /// 0: not yet known.
    private final AtomicInteger size;

    /// @param size the length of an embedding; 0: the length in the first answer
    /// @param options parameters of the API with their values as JSON
    public EmbeddingsExchange(
            String model, Map<String, String> options, String column, String target, int rowsPerRequest, int size) {
        this.model = model;
        this.options = options;
        this.column = column;
        this.target = target;
        this.rowsPerRequest = rowsPerRequest;
        this.size = new AtomicInteger(size);
    }

    @Override
    public List<int[]> requests(Batch batch) {
        Column texts = batch.column(column);
        List<int[]> requests = new ArrayList<>();
        int[] rows = new int[rowsPerRequest];
        int count = 0;
        for (int row = 0; row < batch.rows(); row++) {
            if (!texts.isNull(row)) {
                rows[count++] = row;
            }
            if (count == rowsPerRequest || count > 0 && row == batch.rows() - 1) {
                requests.add(Arrays.copyOf(rows, count));
                count = 0;
            }
        }
        return requests;
    }

    @Override
    public byte[] body(Batch batch, int[] rows, JsonWriter out) {
        Column texts = batch.column(column);
        out.raw("{\"model\":");
        out.text(model);
        out.raw(",\"input\":");
        String separator = "[";
        for (int row : rows) {
            out.raw(separator);
            out.text(String.valueOf(texts.value(row)));
            separator = ",";
        }
        out.raw("]");
        options.forEach((name, json) -> {
            out.raw(",");
            out.text(name);
            out.raw(":");
            out.value(RowExchange.parse(json));
        });
        out.raw("}");
        return out.take();
    }

    @Override
    public long estimate(byte[] body) {
        return body.length / BYTES_PER_TOKEN + 1L;
    }

    @Override
    public Object[][] values(Object answer, int rows) throws CallFailed {
        if (!(JsonPointer.of("/data").find(answer) instanceof List<?> data) || data.size() != rows) {
            throw wrong("answered without an embedding for each of the " + rows + " texts at /data");
        }
        Object[][] values = new Object[rows][];
        for (int i = 0; i < rows; i++) {
            if (!(data.get(i) instanceof Map<?, ?> element)) {
                throw wrong("answered with something at /data/" + i + " that is no object");
            }
            int row = element.get("index") instanceof Long index && index >= 0 && index < rows ? index.intValue() : i;
            float[] numbers = numbers(element.get("embedding"), i);
            int known = size.compareAndExchange(0, numbers.length);
            if (known != 0 && known != numbers.length) {
                throw wrong("answered with an embedding of " + numbers.length + " numbers instead of " + known);
            }
            values[row] = new Object[] {numbers};
        }
        if (Arrays.asList(values).contains(null)) {
            throw wrong("answered with two embeddings for one text, by their indexes");
        }
        return values;
    }

    private static float[] numbers(@Nullable Object embedding, int at) throws CallFailed {
        try {
            if (embedding instanceof String base64) {
                ByteBuffer bytes =
                        ByteBuffer.wrap(Base64.getDecoder().decode(base64)).order(ByteOrder.LITTLE_ENDIAN);
                float[] numbers = new float[bytes.remaining() / Float.BYTES];
                bytes.asFloatBuffer().get(numbers);
                return numbers;
            }
            if (embedding instanceof List<?> list && !list.isEmpty()) {
                float[] numbers = new float[list.size()];
                for (int i = 0; i < numbers.length; i++) {
                    numbers[i] = ((Number) list.get(i)).floatValue();
                }
                return numbers;
            }
        } catch (RuntimeException _) {
            // Reported below.
        }
        throw wrong("answered with something at /data/" + at + "/embedding that is no array of numbers");
    }

    private static CallFailed wrong(String what) {
        return new CallFailed(what, 200, false);
    }

    @Override
    public List<String> columns() {
        return List.of(target);
    }

    @Override
    public Optional<List<Field>> fields() {
        return size.get() == 0 ? Optional.empty() : RequestExchange.super.fields();
    }

    @Override
    public DataType type(int index) {
        if (size.get() == 0) {
            throw MillraceException.user(
                    "None of these rows has an embedding, so how many numbers one has is not known."
                            + " Give it: embeddings(...).size(n).");
        }
        return DataType.tensor(DataType.FLOAT32, size.get());
    }
}
