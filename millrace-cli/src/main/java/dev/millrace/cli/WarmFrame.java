package dev.millrace.cli;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One message between a command and the [WarmWorker] that runs it: a kind, a length and bytes.
record WarmFrame(Kind kind, byte[] bytes) {
    /// No frame is larger: what claims to be is not one of ours.
    static final int MAX_BYTES = 1 << 24;

    /// What a message means. Their order is what travels: the version of both ends is the same, for the name of the
    /// socket holds it.
    enum Kind {
        /// To the worker: the arguments of a command, as [WarmClient#packed] has them.
        COMMAND,
        /// To the worker: bytes of the standard input, none at its end.
        INPUT,
        /// To the worker: end.
        STOP,
        /// From the worker: it runs another command.
        BUSY,
        /// From the worker: bytes for the standard output.
        OUT,
        /// From the worker: bytes for the standard error.
        ERR,
        /// From the worker: it waits for input.
        WANTS_INPUT,
        /// From the worker: the exit code, one byte; the last message.
        EXIT
    }

    static final byte[] NOTHING = {};

    void write(DataOutputStream out) throws IOException {
        out.writeByte(kind.ordinal());
        out.writeInt(bytes.length);
        out.write(bytes);
        out.flush();
    }

    /// Null at the end of the stream.
    static @Nullable WarmFrame read(DataInputStream in) throws IOException {
        int kind = in.read();
        if (kind < 0) {
            return null;
        }
        int length = in.readInt();
        if (kind >= Kind.values().length || length < 0 || length > MAX_BYTES) {
            throw new EOFException("not a message: kind " + kind + ", " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new WarmFrame(Kind.values()[kind], bytes);
    }

    @Override
    public String toString() {
        return kind + " of " + bytes.length + " bytes";
    }
}
