package dev.millrace.internal.transform;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.TaskProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.Optional;

/// Programs as bytes, for runtimes that ship them. Java serialisation; classes are found through the thread's context
/// class loader.
public final class ProgramCodec {
    private ProgramCodec() {}

    /// @throws MillraceException culprit USER, when a function of the program is not serialisable: names the operator,
    /// the
    ///     captured variable and its class
    public static byte[] encode(Serializable program) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(program);
        } catch (IOException | RuntimeException e) {
            throw explain(program, e);
        }
        return bytes.toByteArray();
    }

    public static TaskProgram decodeTask(byte[] bytes) {
        return (TaskProgram) decode(bytes);
    }

    public static ActorProgram decodeActor(byte[] bytes) {
        return (ActorProgram) decode(bytes);
    }

    private static Object decode(byte[] bytes) {
        try (ObjectInputStream in = new ContextInput(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            throw new MillraceException(
                    Culprit.USER,
                    "A program that was shipped here cannot be read: " + e
                            + ". The worker needs the same classes as the program that started it.",
                    e);
        }
    }

    private static MillraceException explain(Serializable program, Exception cause) {
        Optional<MillraceException> problem = switch (program) {
            case TaskPrograms.ReadProgram read ->
                FunctionCheck.problem(read.chain())
                        .or(() ->
                                FunctionCheck.problem("Reading " + read.split().description(), read.split()));
            case TaskPrograms.MapProgram map -> FunctionCheck.problem(map.chain());
            case TaskPrograms.ZipProgram zip -> FunctionCheck.problem(zip.chain());
            case ChainActor actor -> FunctionCheck.problem(actor.chain());
            default -> FunctionCheck.problem("The task", program);
        };
        return problem.map(known -> new MillraceException(known.culprit(), known.getMessage(), cause))
                .orElseGet(() ->
                        new MillraceException(Culprit.INTERNAL, "a program cannot be serialised: " + cause, cause));
    }

    private static final class ContextInput extends ObjectInputStream {
        private final ClassLoader loader = Thread.currentThread().getContextClassLoader();

        ContextInput(InputStream in) throws IOException {
            super(in);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            if (loader == null) {
                return super.resolveClass(description);
            }
            try {
                return Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                return super.resolveClass(description);
            }
        }
    }
}
