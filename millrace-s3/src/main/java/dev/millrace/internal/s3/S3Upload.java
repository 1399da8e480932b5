package dev.millrace.internal.s3;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.buffer.Growth;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.sink.Target;
import dev.millrace.storage.LastingIOException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/// An object being uploaded, in parts of at least 8 MiB: one part is filled while previous ones are being sent. An
/// object no larger than one part takes a single request. The object is not visible before [#close]. One thread.
final class S3Upload implements Target.OutputFile {
    private static final int PART = 8 << 20;
    private static final int MIN_BUFFER = 256 << 10;
    private static final int ON_THEIR_WAY = 2;
    /// A store accepts 10,000 parts: later parts are larger, so that large objects fit.
    private static final int PARTS_OF_A_SIZE = 1000;

    private final S3Objects objects;
    private final String name;
    private final String key;
    private final String mark;
    private final Allocator allocator;

    private final Deque<Sending> sending = new ArrayDeque<>();
    private final List<CompletedPart> sent = new ArrayList<>();
    /// The part being filled; null between two parts.
    private @Nullable GrowingBuffer filling;
    private int parts;
    private @Nullable String upload;
    private boolean open = true;
    private boolean complete;

    private record Sending(FutureTask<CompletedPart> task, Thread thread, Buffer buffer) {}

    /// @param folder of the job, with a slash
    /// @param mark the name of the marker that is in the folder as long as the job lives
    S3Upload(S3Objects objects, String folder, String name, String mark, Allocator allocator) {
        this.objects = objects;
        this.name = name;
        this.key = folder + name;
        this.mark = folder + mark;
        this.allocator = allocator;
    }

    void requireJob() throws IOException {
        if (!objects.exists(mark)) {
            throw new LastingIOException(
                    "the job that '" + objects.pathOf(key) + "' was to be a part of has ended", null);
        }
    }

    @Override
    public String reference() {
        return name;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        if (!open) {
            throw new ClosedChannelException();
        }
        int count = source.remaining();
        while (source.hasRemaining()) {
            GrowingBuffer room =
                    filling == null || filling.size() == filling.capacity() ? makeRoom(source.remaining()) : filling;
            int some = (int) Math.min(source.remaining(), room.capacity() - room.size());
            room.put(MemorySegment.ofBuffer(source), 0, some);
            source.position(source.position() + some);
        }
        return count;
    }

    /// The buffer grows up to the part size, so that small objects need little memory; a full part is sent.
    private GrowingBuffer makeRoom(int wanted) throws IOException {
        long part = (long) PART << Math.min(10, parts / PARTS_OF_A_SIZE);
        if (filling != null && filling.size() >= part) {
            send();
        }
        if (filling == null) {
            long first = parts > 0 ? part : MIN_BUFFER;
            filling = new GrowingBuffer(allocator, Growth.from(first).upTo(part, S3Upload::passesAPart));
        }
        GrowingBuffer room = filling;
        room.reserve(Math.min(wanted, part - room.size()));
        return room;
    }

    private static RuntimeException passesAPart(long bytes) {
        return new IllegalStateException("a part of " + bytes + " bytes");
    }

    private void send() throws IOException {
        if (upload == null) {
            upload = objects.send(
                    key,
                    s3 -> s3.createMultipartUpload(
                                    begin -> begin.bucket(objects.bucket()).key(key))
                            .uploadId());
        }
        int number = ++parts;
        GrowingBuffer full = Objects.requireNonNull(filling);
        long bytes = full.size();
        Buffer buffer = full.take();
        filling = null;
        FutureTask<CompletedPart> task = new FutureTask<>(() -> send(number, buffer, bytes));
        sending.add(new Sending(task, Thread.ofVirtual().name("upload " + name).start(task), buffer));
        int most = allocator.isTight() ? 0 : ON_THEIR_WAY;
        while (sending.size() > most) {
            awaitFirst();
        }
    }

    private CompletedPart send(int number, Buffer buffer, long bytes) throws IOException {
        String tag = objects.send(
                key,
                s3 -> s3.uploadPart(
                                part -> part.bucket(objects.bucket())
                                        .key(key)
                                        .uploadId(upload)
                                        .partNumber(number)
                                        .contentLength(bytes),
                                body(buffer.segment().asSlice(0, bytes)))
                        .eTag());
        return CompletedPart.builder().partNumber(number).eTag(tag).build();
    }

    private static RequestBody body(MemorySegment bytes) {
        return RequestBody.fromContentProvider(
                () -> new SegmentInput(bytes), bytes.byteSize(), "application/octet-stream");
    }

    private void awaitFirst() throws IOException {
        Sending first = sending.getFirst();
        try {
            sent.add(first.task.get());
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new IOException(cause.getMessage(), cause);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        }
        sending.removeFirst();
        first.buffer.release();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() throws IOException {
        if (!open) {
            return;
        }
        open = false;
        try {
            if (upload == null) {
                RequestBody body = filling == null ? RequestBody.empty() : body(filling.contents());
                objects.send(
                        key,
                        s3 -> s3.putObject(to -> to.bucket(objects.bucket()).key(key), body));
            } else {
                if (filling != null && filling.size() > 0) {
                    send();
                }
                while (!sending.isEmpty()) {
                    awaitFirst();
                }
                sent.sort(Comparator.comparing(CompletedPart::partNumber));
                String id = upload;
                objects.send(key, _ -> {
                    objects.complete(key, id, sent);
                    return id;
                });
                upload = null;
            }
            complete = true;
            // A job that has ended meanwhile either did not see this object or will remove it itself.
            requireJob();
        } catch (IOException | RuntimeException e) {
            try {
                delete();
            } catch (IOException second) {
                e.addSuppressed(second);
            }
            throw e;
        } finally {
            release();
        }
    }

    @Override
    public void delete() throws IOException {
        open = false;
        release();
        if (upload != null) {
            String id = upload;
            upload = null;
            objects.abort(key, id);
        } else if (complete) {
            complete = false;
            objects.delete(key);
        }
    }

    /// Aborts requests that are being sent and releases the memory.
    private void release() {
        sending.forEach(each -> each.thread.interrupt());
        boolean interrupted = false;
        while (!sending.isEmpty()) {
            try {
                sending.getFirst().thread.join();
                sending.removeFirst().buffer.release();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (filling != null) {
            filling.close();
            filling = null;
        }
    }
}
