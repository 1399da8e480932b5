package dev.millrace.testing;

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

        Out(OutputStream stream) {
            this.stream = new DataOutputStream(new BufferedOutputStream(stream));
        }

        void write(LoopbackMessage message) throws IOException {
            byte[] bytes = ObjectBytes.encode(message.getClass().getSimpleName(), message);
            synchronized (this) {
                stream.writeInt(bytes.length);
                stream.write(bytes);
                stream.flush();
            }
        }
    }

    /// The reading end; one thread.
    static final class In {
        private final DataInputStream stream;

        In(InputStream stream) {
            this.stream = new DataInputStream(new BufferedInputStream(stream));
        }

        /// Null if the other side is gone, also in the middle of a frame.
        @Nullable
        LoopbackMessage read() {
            try {
                byte[] bytes = new byte[stream.readInt()];
                stream.readFully(bytes);
                return ObjectBytes.decode(bytes, LoopbackMessage.class);
            } catch (IOException e) {
                return null;
            }
        }
    }
}
