package dev.millrace.internal.python;

import dev.millrace.error.MillraceException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// What a worker answers: a kind, the number of a call, four numbers and a text. Orders to a worker have a kind, a call
/// and two numbers. `wire.py` has the same tables.
record WorkerFrame(Kind kind, int call, long a, long b, long c, long d, byte[] text) {
    private static final int BYTES = 1 + 4 + 4 * 8 + 4;
    private static final int ORDER_BYTES = 1 + 4 + 2 * 8;
    private static final int MAX_TEXT = 1 << 28;

    enum Kind {
        READY,
        /// Of memory for batches: number, file, size; the text is its path, if it has one.
        SEGMENT,
        /// Rows: number, file and size of a segment, and how many bytes of it; the text names the columns.
        RESULT,
        /// 1 if Python keeps the memory of the batch.
        DONE,
        /// Kind of the error, and its text.
        ERROR,
        /// A segment that is not used any more.
        DROPPED
    }

    enum Order {
        START,
        /// Segment and length.
        CALL,
        /// At least so many bytes.
        SEGMENTS,
        FREE,
        /// 0 for another result of a stream, 1 for no more.
        NEXT,
        END,
        DROP
    }

    static WorkerFrame read(InputStream in) throws IOException {
        byte[] head = in.readNBytes(BYTES);
        if (head.length < BYTES) {
            throw new EOFException();
        }
        ByteBuffer data = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        int kind = data.get() - 1;
        int call = data.getInt();
        long a = data.getLong();
        long b = data.getLong();
        long c = data.getLong();
        long d = data.getLong();
        int length = data.getInt();
        if (kind < 0 || kind >= Kind.values().length || length < 0 || length > MAX_TEXT) {
            throw MillraceException.internal("a Python worker sent a frame of kind " + kind + ", " + length + " bytes");
        }
        byte[] text = in.readNBytes(length);
        if (text.length < length) {
            throw new EOFException();
        }
        return new WorkerFrame(Kind.values()[kind], call, a, b, c, d, text);
    }

    static byte[] order(Order order, int call, long a, long b) {
        return ByteBuffer.allocate(ORDER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) (order.ordinal() + 1))
                .putInt(call)
                .putLong(a)
                .putLong(b)
                .array();
    }

    String words() {
        return new String(text, StandardCharsets.UTF_8);
    }
}
