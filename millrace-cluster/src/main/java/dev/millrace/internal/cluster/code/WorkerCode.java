package dev.millrace.internal.cluster.code;

import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The code of one driver on a worker: its class loader, and the questions that are under way. [#handle] is called by
/// the thread of the connection; questions come from threads of tasks and wait there. Thread-safe.
public final class WorkerCode implements CodeSupply, AutoCloseable {
    private final String worker;
    private final CodeCache cache;
    private final Consumer<byte[]> driver;
    private final AtomicLong questions = new AtomicLong();
    private final Map<Long, CompletableFuture<CodeMessage>> waiting = new ConcurrentHashMap<>();
    private volatile @Nullable DriverLoader loader;
    private volatile @Nullable MillraceException refusal;
    private volatile boolean closed;

    /// @param worker its name in errors
    /// @param driver sends bytes to the driver, from any thread
    public WorkerCode(String worker, CodeCache cache, Consumer<byte[]> driver) {
        this.worker = worker;
        this.cache = cache;
        this.driver = driver;
    }

    /// The class loader of the driver's programs; the worker's own before the driver has told of its code.
    ///
    /// @throws MillraceException culprit USER, if the driver has another version of Millrace
    public ClassLoader loader() {
        MillraceException refused = refusal;
        if (refused != null) {
            throw refused;
        }
        DriverLoader known = loader;
        return known == null ? WorkerCode.class.getClassLoader() : known;
    }

    /// A message of the driver.
    public void handle(byte[] bytes) {
        CodeMessage message;
        try {
            message = CodeMessage.of(bytes);
        } catch (IOException e) {
            throw MillraceException.internal("a message about code cannot be read: " + e.getMessage());
        }
        switch (message) {
            case CodeMessage.Index(CodeIndex index) -> {
                try {
                    loader = new DriverLoader(worker, index, this, cache, WorkerCode.class.getClassLoader());
                } catch (MillraceException e) {
                    // Told by each task of this driver.
                    refusal = e;
                }
            }
            case CodeMessage.Content content -> answer(content.question(), content);
            case CodeMessage.Part part -> answer(part.question(), part);
            case CodeMessage.Found found -> answer(found.question(), found);
            case CodeMessage.Failed failed -> answer(failed.question(), failed);
            case CodeMessage.AskContent _, CodeMessage.AskPart _, CodeMessage.AskFind _ ->
                throw MillraceException.internal("a worker was asked for code: " + message);
        }
    }

    private void answer(long question, CodeMessage message) {
        CompletableFuture<CodeMessage> asked = waiting.remove(question);
        if (asked != null) {
            asked.complete(message);
        }
    }

    @Override
    public CodeContent content(int entry) throws IOException {
        return ask(number -> new CodeMessage.AskContent(number, entry), CodeMessage.Content.class)
                .content();
    }

    @Override
    public byte[] part(int entry, long offset) throws IOException {
        return ask(number -> new CodeMessage.AskPart(number, entry, offset), CodeMessage.Part.class)
                .bytes();
    }

    @Override
    public byte @Nullable [] find(String path) throws IOException {
        return ask(number -> new CodeMessage.AskFind(number, path), CodeMessage.Found.class)
                .bytes();
    }

    private interface Question {
        CodeMessage numbered(long number);
    }

    private <T extends CodeMessage> T ask(Question question, Class<T> kind) throws IOException {
        long number = questions.incrementAndGet();
        CompletableFuture<CodeMessage> answer = new CompletableFuture<>();
        waiting.put(number, answer);
        if (closed) {
            // After it is in the map, so that close() or this line sees the other.
            answer.completeExceptionally(new IOException("its driver has left"));
        } else {
            driver.accept(question.numbered(number).toBytes());
        }
        return switch (await(answer)) {
            case CodeMessage.Failed(long _, String why) -> throw new IOException(why);
            case CodeMessage got when kind.isInstance(got) -> kind.cast(got);
            case CodeMessage other -> throw new IOException("an answer to another question: " + other);
        };
    }

    /// Not interrupted, see [DriverLoader]; the end of the connection ends it.
    private static CodeMessage await(CompletableFuture<CodeMessage> answer) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException lost ? lost : new IOException(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// The driver has left, or the connection is broken: questions end. What was fetched stays usable for functions
    /// that are still to be closed.
    public void disconnect() {
        closed = true;
        waiting.values().forEach(answer -> answer.completeExceptionally(new IOException("its driver has left")));
    }

    @Override
    public void close() {
        disconnect();
        DriverLoader known = loader;
        if (known != null) {
            known.close();
        }
    }
}
