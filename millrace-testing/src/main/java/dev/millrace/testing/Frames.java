package dev.millrace.testing;

import dev.millrace.internal.runtime.wire.WireDecoder;
import dev.millrace.internal.runtime.wire.WireEncoder;
import dev.millrace.internal.runtime.wire.WireMessage;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// Messages over a pipe, each as its length and its bytes.
final class Frames {
    private Frames() {}

    /// The writing end. Thread-safe: its monitor keeps frames apart.
    static final class Out {
        private final DataOutputStream stream;
        private final WireEncoder encoder = new WireEncoder();

        Out(OutputStream stream) {
            this.stream = new DataOutputStream(new BufferedOutputStream(stream));
        }

        void write(WireMessage message) throws IOException {
            synchronized (this) {
                byte[] bytes = encoder.encode(message);
                stream.writeInt(bytes.length);
                stream.write(bytes);
                stream.flush();
            }
        }
    }

    /// The reading end; one thread.
    static final class In {
        private final DataInputStream stream;
        private final WireDecoder decoder = new WireDecoder();

        In(InputStream stream) {
            this.stream = new DataInputStream(new BufferedInputStream(stream));
        }

        /// Null if the other side is gone, also in the middle of a frame.
        @Nullable
        WireMessage read() {
            try {
                byte[] bytes = new byte[stream.readInt()];
                stream.readFully(bytes);
                return decoder.decode(bytes);
            } catch (IOException e) {
                return null;
            }
        }
    }
}
