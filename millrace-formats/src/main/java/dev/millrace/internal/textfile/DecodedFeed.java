package dev.millrace.internal.textfile;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/// Converts text from another encoding to UTF-8. Malformed input is an error.
final class DecodedFeed implements ByteFeed {
    private static final int CHUNK = 32 << 10;

    private final String path;
    private final ByteFeed raw;
    private final Charset charset;
    private final CharsetDecoder decoder;
    private final Buffer stage;
    private final ByteBuffer in = ByteBuffer.allocate(CHUNK);
    private final CharBuffer chars = CharBuffer.allocate(CHUNK);
    private ByteBuffer out = ByteBuffer.allocate(0);
    private char carried;
    private boolean ended;
    private boolean flushed;
    private long place;

    DecodedFeed(String path, ByteFeed raw, Charset charset, Allocator allocator) throws IOException {
        this.path = path;
        this.raw = raw;
        this.charset = charset;
        this.decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(raw);
            this.stage = allocator.allocate(CHUNK);
            scope.keep();
        }
    }

    @Override
    public int read(MemorySegment target) throws IOException {
        while (!out.hasRemaining()) {
            if (flushed) {
                return -1;
            }
            decode();
        }
        int count = (int) Math.min(target.byteSize(), out.remaining());
        MemorySegment.copy(out.array(), out.arrayOffset() + out.position(), target, JAVA_BYTE, 0, count);
        out.position(out.position() + count);
        return count;
    }

    private void decode() throws IOException {
        if (!ended) {
            int count = raw.read(stage.segment().asSlice(0, in.remaining()));
            ended = count < 0;
            if (!ended) {
                MemorySegment.copy(stage.segment(), JAVA_BYTE, 0, in.array(), in.position(), count);
                in.position(in.position() + count);
            }
        }
        in.flip();
        chars.clear();
        if (carried != 0) {
            chars.put(carried);
            carried = 0;
        }
        int before = in.remaining();
        CoderResult result = decoder.decode(in, chars, ended);
        place += before - in.remaining();
        if (result.isError()) {
            throw MillraceException.data("'" + path + "', byte " + place + ": the text is not " + charset.name()
                    + ". Give its encoding with ReadText.encoding(name).");
        }
        if (ended && result.isUnderflow()) {
            flushed = decoder.flush(chars).isUnderflow();
        }
        in.compact();
        chars.flip();
        // Half of a surrogate pair waits for the other half.
        int last = chars.limit() - 1;
        if (last >= 0 && Character.isHighSurrogate(chars.get(last)) && !flushed) {
            carried = chars.get(last);
            chars.limit(last);
        }
        out = StandardCharsets.UTF_8.encode(chars);
    }

    @Override
    public void close() throws IOException {
        stage.release();
        raw.close();
    }
}
