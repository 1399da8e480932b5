package dev.millrace.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class HttpBodyTest {
    /// An answer of which some bytes come at each call, after a wait.
    private static InputStream answer(int bytesAtOnce) {
        return new InputStream() {
            @Override
            public int read() {
                throw new UnsupportedOperationException();
            }

            @Override
            public int read(byte[] target, int from, int count) throws IOException {
                try {
                    Thread.sleep(2);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                return Math.min(bytesAtOnce, count);
            }
        };
    }

    @Test
    void anAnswerThatTricklesIsBrokenOff() throws IOException {
        try (HttpBody body = new HttpBody(answer(1), 20_000_000)) {
            MemorySegment target = MemorySegment.ofArray(new byte[HttpBody.MIN_BYTES]);
            assertThatThrownBy(() -> body.fill(target, 0)).hasMessageMatching("only \\d+ bytes came in \\d+ ms");
        }
    }

    @Test
    void aSlowOneThatBringsEnoughIsRead() throws IOException {
        try (HttpBody body = new HttpBody(answer(HttpBody.MIN_BYTES), 1)) {
            MemorySegment target = MemorySegment.ofArray(new byte[20 * HttpBody.MIN_BYTES]);
            assertThat(body.fill(target, 0)).isEqualTo(target.byteSize());
        }
    }
}
