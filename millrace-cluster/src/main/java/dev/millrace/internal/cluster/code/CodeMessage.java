package dev.millrace.internal.cluster.code;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The messages about code between a driver and one of its workers, as attachments of their connection. A question has
/// a number, which its answer repeats.
sealed interface CodeMessage {
    // From the driver.

    /// The first message.
    record Index(CodeIndex index) implements CodeMessage {}

    record Content(long question, CodeContent content) implements CodeMessage {}

    record Part(long question, byte[] bytes) implements CodeMessage {}

    /// @param bytes null: there is no such class or resource
    record Found(long question, byte @Nullable [] bytes) implements CodeMessage {}

    /// The question could not be answered.
    ///
    /// @param why a part of a sentence
    record Failed(long question, String why) implements CodeMessage {}

    // From the worker.

    record AskContent(long question, int entry) implements CodeMessage {}

    record AskPart(long question, int entry, long offset) implements CodeMessage {}

    record AskFind(long question, String path) implements CodeMessage {}

    default byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            switch (this) {
                case Index(CodeIndex index) -> {
                    out.writeByte(0);
                    out.write(index.toBytes());
                }
                case Content(long question, CodeContent content) -> {
                    begin(out, 1, question);
                    out.writeUTF(content.hash());
                    out.writeLong(content.bytes());
                }
                case Part(long question, byte[] part) -> {
                    begin(out, 2, question);
                    out.write(part);
                }
                case Found(long question, byte[] found) -> {
                    begin(out, 3, question);
                    out.writeBoolean(found != null);
                    out.write(found == null ? new byte[0] : found);
                }
                case Failed(long question, String why) -> {
                    begin(out, 4, question);
                    out.writeUTF(why.length() > MAX_TEXT ? why.substring(0, MAX_TEXT) : why);
                }
                case AskContent(long question, int entry) -> {
                    begin(out, 5, question);
                    out.writeInt(entry);
                }
                case AskPart(long question, int entry, long offset) -> {
                    begin(out, 6, question);
                    out.writeInt(entry);
                    out.writeLong(offset);
                }
                case AskFind(long question, String path) -> {
                    begin(out, 7, question);
                    out.writeUTF(path);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("a message could not be written to memory", e);
        }
        return bytes.toByteArray();
    }

    /// Longer texts do not fit into the encoding of strings.
    int MAX_TEXT = 10_000;

    private static void begin(DataOutputStream out, int kind, long question) throws IOException {
        out.writeByte(kind);
        out.writeLong(question);
    }

    /// @throws IOException when the bytes are no message
    static CodeMessage of(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int kind = in.readByte();
        if (kind == 0) {
            return new Index(CodeIndex.fromBytes(in.readAllBytes()));
        }
        long question = in.readLong();
        return switch (kind) {
            case 1 -> new Content(question, new CodeContent(in.readUTF(), in.readLong()));
            case 2 -> new Part(question, in.readAllBytes());
            case 3 -> new Found(question, in.readBoolean() ? in.readAllBytes() : null);
            case 4 -> new Failed(question, in.readUTF());
            case 5 -> new AskContent(question, in.readInt());
            case 6 -> new AskPart(question, in.readInt(), in.readLong());
            case 7 -> new AskFind(question, in.readUTF());
            default -> throw new IOException("there is no message " + kind + " about code");
        };
    }
}
