package dev.millrace.internal.cluster.code;

import java.io.IOException;
import java.util.function.Consumer;

/// Answers the questions of one worker about the driver's code, on threads of its own: files are read, and the thread
/// of the connection must not wait for them.
public final class CodeServer {
    private final DriverCode code;
    private final Consumer<byte[]> worker;

    /// @param worker sends bytes to the worker, from any thread
    public CodeServer(DriverCode code, Consumer<byte[]> worker) {
        this.code = code;
        this.worker = worker;
    }

    /// Sends what the class path holds: before the first program.
    public void start() {
        worker.accept(new CodeMessage.Index(code.index()).toBytes());
    }

    /// A question of the worker.
    public void handle(byte[] bytes) {
        Thread.ofVirtual()
                .name("millrace-code")
                .start(() -> worker.accept(answer(bytes).toBytes()));
    }

    private CodeMessage answer(byte[] bytes) {
        long number = -1;
        try {
            return switch (CodeMessage.of(bytes)) {
                case CodeMessage.AskContent(long question, int entry) -> {
                    number = question;
                    yield new CodeMessage.Content(question, code.content(entry));
                }
                case CodeMessage.AskPart(long question, int entry, long offset) -> {
                    number = question;
                    yield new CodeMessage.Part(question, code.part(entry, offset));
                }
                case CodeMessage.AskFind(long question, String path) -> {
                    number = question;
                    yield new CodeMessage.Found(question, code.find(path));
                }
                case CodeMessage other -> new CodeMessage.Failed(-1, "it is no question of a worker: " + other);
            };
        } catch (IOException | RuntimeException e) {
            return new CodeMessage.Failed(number, String.valueOf(e.getMessage()));
        }
    }
}
