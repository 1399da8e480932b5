package dev.millrace.internal.transform;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.serial.FilteredInput;
import dev.millrace.internal.serial.SerialRule;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.TaskProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Optional;

/// Serialises programs, for runtimes that ship them. Java serialisation; classes are found through the thread's context
/// class loader. A program is code: a runtime accepts it only from the driver it belongs to.
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
        return decode(bytes, TaskProgram.class);
    }

    public static ActorProgram decodeActor(byte[] bytes) {
        return decode(bytes, ActorProgram.class);
    }

    private static <T> T decode(byte[] bytes, Class<T> kind) {
        try {
            return kind.cast(
                    FilteredInput.read(bytes, Thread.currentThread().getContextClassLoader(), SerialRule.of(kind)));
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
}
