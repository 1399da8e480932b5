package dev.millrace.internal.runtime.wire;

import dev.millrace.error.MillraceException;
import dev.millrace.runtime.ShippedOnce;
import dev.millrace.source.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Serialises programs on the driver's side. What several of them share ([ShippedOnce], [Source]) is serialised once
/// and gets a number; when the driver has dropped it, [#dropped] names the number. Thread-safe.
public final class ProgramEncoder {
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
    private final Map<PartKey, Part> parts = new HashMap<>();
    private final Map<Long, Part> byNumber = new HashMap<>();
    private final Refusal refusal;
    private long numbered;

    /// Words why something could not be serialised: what programs hold is not known here.
    public interface Refusal {
        /// @param what names the program
        /// @param part the program, or the part of it that could not be written
        /// @param cause what was thrown
        MillraceException of(String what, Object part, Throwable cause);
    }

    public ProgramEncoder(Refusal refusal) {
        this.refusal = refusal;
    }

    /// @param uses the parts that it refers to, directly or not, in the order in which they must be sent; itself last
    private record Part(long number, byte[] bytes, List<Long> uses) {}

    /// @param what names the program in errors
    /// @throws MillraceException culprit USER, when something in it is not serialisable: names the
    ///     operator, the captured variable and its class
    public synchronized ShippedProgram encode(String what, Serializable program) {
        Set<Long> uses = new LinkedHashSet<>();
        byte[] bytes = write(what, program, uses);
        return new ShippedProgram(bytes, List.copyOf(uses));
    }

    /// The bytes of a part that was not dropped: a program of a task that was not sent yet uses it.
    public synchronized byte[] part(long number) {
        return Objects.requireNonNull(byNumber.get(number), "the part is still used").bytes;
    }

    /// The parts that no program of this driver can use any more, each told once.
    public synchronized List<Long> dropped() {
        List<Long> numbers = new ArrayList<>();
        for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
            Part part = parts.remove((PartKey) gone);
            if (part != null) {
                byNumber.remove(part.number);
                numbers.add(part.number);
            }
        }
        return numbers;
    }

    /// All splits of a read belong to one source, which describes all of it.
    private static boolean isShared(Object written) {
        return written instanceof ShippedOnce || written instanceof Source;
    }

    private Part part(String what, Serializable shared) {
        Part known = parts.get(new PartKey(shared, null));
        if (known == null) {
            Set<Long> uses = new LinkedHashSet<>();
            byte[] bytes = write(what, shared, uses);
            long number = ++numbered;
            uses.add(number);
            known = new Part(number, bytes, List.copyOf(uses));
            parts.put(new PartKey(shared, collected), known);
            byNumber.put(number, known);
        }
        return known;
    }

    private byte[] write(String what, Serializable root, Set<Long> uses) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        try (ObjectOutputStream out = new PartStream(bytes, what, root, uses)) {
            out.writeObject(root);
        } catch (IOException | StackOverflowError e) {
            throw refusal.of(what, root, e);
        }
        return bytes.toByteArray();
    }

    /// Writes references in the place of parts.
    private final class PartStream extends ObjectOutputStream {
        private final String what;
        private final Object root;
        private final Set<Long> uses;

        PartStream(ByteArrayOutputStream bytes, String what, Object root, Set<Long> uses) throws IOException {
            super(bytes);
            this.what = what;
            this.root = root;
            this.uses = uses;
            enableReplaceObject(true);
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // a part is shared by identity
        protected Object replaceObject(Object written) {
            if (written == root || !isShared(written)) {
                return written;
            }
            Part part = part(what, (Serializable) written);
            uses.addAll(part.uses);
            return new PartReference(part.number);
        }
    }

    /// An object by its identity, which does not keep it.
    private static final class PartKey extends WeakReference<Object> {
        private final int hash;

        PartKey(Object part, @Nullable ReferenceQueue<Object> queue) {
            super(part, queue);
            this.hash = System.identityHashCode(part);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // see above
        public boolean equals(Object other) {
            if (this == other) {
                return true;
            }
            Object own = get();
            return own != null && other instanceof PartKey key && key.get() == own;
        }
    }
}
