package dev.millrace.internal.runtime.wire;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.MissingClass;
import dev.millrace.internal.serial.FilteredInput;
import dev.millrace.internal.serial.SerialRule;
import dev.millrace.runtime.ShippedOnce;
import dev.millrace.source.Source;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The parts of programs on a worker, by number; and programs from their bytes. Classes are loaded by the context class
/// loader of the thread that needs them first. Thread-safe.
public final class ProgramDecoder {
    private static final SerialRule PART = SerialRule.of(ShippedOnce.class, Source.class);
    private final Map<Long, Part> parts = new ConcurrentHashMap<>();

    public void add(WireMessage.ProgramPart part) {
        parts.put(part.number(), new Part(part.bytes()));
    }

    public void forget(List<Long> numbers) {
        numbers.forEach(parts::remove);
    }

    /// Takes the program's parts now, when they are certainly here, so that they may be forgotten before it is decoded.
    public Received receive(ShippedProgram program) {
        Map<Long, Part> own = new HashMap<>();
        for (long number : program.parts()) {
            Part part = parts.get(number);
            if (part != null) {
                own.put(number, part);
            }
        }
        return new Received(program.bytes(), own);
    }

    /// A program that is not decoded yet.
    public static final class Received {
        private final byte[] bytes;
        private final Map<Long, Part> parts;

        private Received(byte[] bytes, Map<Long, Part> parts) {
            this.bytes = bytes;
            this.parts = parts;
        }

        /// A program of its own each time, over the same shared parts.
        ///
        /// @param what names it in errors
        public <T> T decode(String what, Class<T> kind) {
            return kind.cast(read(what, bytes, parts, SerialRule.of(kind)));
        }
    }

    private static final class Part {
        private final byte[] bytes;
        private @Nullable Object value;

        Part(byte[] bytes) {
            this.bytes = bytes;
        }

        synchronized Object value(String what, Map<Long, Part> parts) {
            Object known = value;
            if (known == null) {
                known = read(what, bytes, parts, PART);
                value = known;
            }
            return known;
        }
    }

    private static Object read(String what, byte[] bytes, Map<Long, Part> parts, SerialRule rule) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try {
            return FilteredInput.read(bytes, loader, rule, each -> {
                if (!(each instanceof PartReference reference)) {
                    return each;
                }
                long number = reference.number();
                Part part = parts.get(number);
                if (part == null) {
                    throw MillraceException.internal("part " + number + " of " + what + " was not sent");
                }
                return part.value(what, parts);
            });
        } catch (MillraceException e) {
            throw e;
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError e) {
            throw new MillraceException(
                    Culprit.USER,
                    what + " cannot be read where it is to run: "
                            + MissingClass.sentence(e)
                                    .orElseGet(() -> e
                                            + ". The worker must have the same classes as the program that started the"
                                            + " run."),
                    e);
        }
    }
}
