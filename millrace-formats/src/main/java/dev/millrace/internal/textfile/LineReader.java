package dev.millrace.internal.textfile;

import dev.millrace.block.Block;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.text.Utf8Arrays;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadText;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads the lines of a file range.
final class LineReader extends LenientReader {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long LINE_ENDS = EACH * '\n';

    private final FileRange range;
    private final ReadContext context;
    private final Charset charset;
    private final ReadText options;
    /// Null before the beginning and after the end; so are its lines.
    private @Nullable TextInput in;

    private @Nullable LineNumbers numbers;
    private int at;
    private boolean done;
    private long expectedRows = 64;
    /// `at` is inside a line that is too long and was reported; the rest of it is skipped when the read continues.
    private boolean inLongLine;

    /// @param charset UTF-8 for parts of files
    LineReader(FileRange range, ReadContext context, Charset charset, ReadText options) {
        this.range = range;
        this.context = context;
        this.charset = charset;
        this.options = options;
    }

    @Override
    protected boolean isDone() {
        return done;
    }

    @Override
    protected @Nullable Block read() throws IOException {
        try (StringColumnBuilder lines = new StringColumnBuilder(context.allocator(), expectedRows)) {
            fill(lines);
            if (lines.length() == 0) {
                return null;
            }
            long rows = lines.length();
            expectedRows = rows + rows / 8 + 64;
            return Block.of(TextFormat.SCHEMA, List.of(lines.build()), rows);
        }
    }

    private void fill(StringColumnBuilder lines) throws IOException {
        try {
            boolean more = true;
            while (more && !done && lines.sizeBytes() < context.chunkBytes()) {
                more = next(lines);
            }
        } catch (MillraceException e) {
            if (e.culprit() != Culprit.DATA) {
                throw e;
            }
            // The rest of the file cannot be read.
            broken.found(e);
            done = true;
        }
    }

    @Override
    protected void begin() throws IOException {
        long from = Math.max(0, range.from() - 1);
        boolean utf8 = charset.equals(StandardCharsets.UTF_8);
        TextInput in = new TextInput(
                utf8 ? range.bytes(from) : new DecodedFeed(range.path(), range.bytes(0), charset, context.allocator()),
                from,
                options.maxRecordBytes(),
                context.allocator());
        this.in = in;
        numbers = new LineNumbers(range, in, context.allocator());
        in.more(0);
        if (range.from() > 0) {
            passLine();
        } else if (in.limit() >= 3
                && (in.bytes()[0] & 0xFF) == 0xEF
                && (in.bytes()[1] & 0xFF) == 0xBB
                && (in.bytes()[2] & 0xFF) == 0xBF) {
            advance(3);
        } else {
            advance(0);
        }
    }

    private TextInput in() {
        return Objects.requireNonNull(in, "a reader has begun before it reads");
    }

    private LineNumbers numbers() {
        return Objects.requireNonNull(numbers, "a reader has begun before it reads");
    }

    private void advance(int position) throws IOException {
        TextInput in = in();
        at = position;
        if (at >= in.limit()) {
            numbers().leave(in.limit());
            done = !in.more(in.limit());
            at = 0;
        }
    }

    /// False if the block is to be returned, however small it is.
    private boolean next(StringColumnBuilder lines) throws IOException {
        if (inLongLine) {
            inLongLine = false;
            passLine();
            return true;
        }
        TextInput in = in();
        if (in.place(at) >= range.to()) {
            done = true;
            return true;
        }
        boolean more = true;
        int end = nextLineEnd();
        if (end < 0) {
            inLongLine = true;
            return broken.found(tooLong(at));
        }
        byte[] b = in.bytes();
        int to = end > at && b[end - 1] == '\r' ? end - 1 : end;
        if (!options.dropEmptyLines() || !isBlank(b, at, to)) {
            int wrong = Utf8Arrays.firstWrong(b, at, to);
            if (wrong < to) {
                more = broken.found(notUtf8(wrong));
            } else {
                lines.append(b, at, to - at);
            }
        }
        advance(end + 1);
        return more;
    }

    private MillraceException notUtf8(int position) {
        return MillraceException.data(
                numbers().where(position) + ": the text is not UTF-8. Give its encoding with ReadText.encoding(name).");
    }

    private MillraceException tooLong(int position) {
        return MillraceException.data(numbers().where(position) + ": a line has more than " + options.maxRecordBytes()
                + " bytes. Is it a file of text? If it is, raise ReadText.maxRecordBytes.");
    }

    /// Skips the rest of the line that `at` is in.
    private void passLine() throws IOException {
        TextInput in = in();
        while (!done) {
            byte[] b = in.bytes();
            int limit = in.limit();
            for (int i = at; i < limit; i++) {
                if (b[i] == '\n') {
                    advance(i + 1);
                    return;
                }
            }
            advance(limit);
        }
    }

    private static boolean isBlank(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (b[i] < 0 || b[i] > ' ') {
                return false;
            }
        }
        return true;
    }

    /// The end of the line that begins at `at`, after loading all of it; the limit if the file ends there. -1 if the
    /// line is too long.
    private int nextLineEnd() throws IOException {
        TextInput in = in();
        int position = at;
        while (true) {
            byte[] b = in.bytes();
            int limit = in.limit();
            for (; position < limit; position += 8) {
                long x = (long) WORD.get(b, position) ^ LINE_ENDS;
                long found = (x - EACH) & ~x & HIGH_BITS;
                if (found != 0) {
                    int end = position + (Long.numberOfTrailingZeros(found) >>> 3);
                    if (end < limit) {
                        return end - at <= options.maxRecordBytes() ? end : -1;
                    }
                    break;
                }
            }
            if (limit - at > options.maxRecordBytes()) {
                return -1;
            }
            int searched = limit - at;
            long place = in.place(at);
            numbers().leave(at);
            boolean more = in.more(at);
            at = (int) (place - in.place(0));
            if (!more) {
                return in.limit();
            }
            position = at + searched;
        }
    }

    @Override
    public void close() throws IOException {
        if (in != null) {
            in.close();
            in = null;
            done = true;
        }
    }
}
