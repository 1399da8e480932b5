package dev.millrace.internal.sink;

import dev.millrace.block.Block;
import dev.millrace.column.BinaryColumn;
import dev.millrace.column.Columns;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.serial.FilteredInput;
import dev.millrace.internal.serial.SerialRule;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.Fragment;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The output of a write task, as a block of one row, so that any runtime can ship it.
public final class FragmentBlock {
    public static final Schema SCHEMA = Schema.of("fragment", DataType.BINARY);

    private static final SerialRule RULE = SerialRule.only(
            "dev.millrace.internal.sink.FragmentBlock$Output",
            "dev.millrace.sink.",
            "dev.millrace.type.",
            "java.lang.",
            "java.util.");

    /// @param schema of a task that got chunks but no rows, else null
    public record Output(Fragment fragment, @Nullable Schema schema) implements Serializable {}

    private FragmentBlock() {}

    static Block of(Output output, Allocator allocator) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(output);
        } catch (IOException e) {
            throw new MillraceException(Culprit.INTERNAL, "a fragment could not be serialised: " + e, e);
        }
        return Block.of(SCHEMA, List.of(Columns.ofBytes(allocator, bytes.toByteArray())), 1);
    }

    public static Output read(Block block) {
        byte[] bytes = ((BinaryColumn) block.column(0)).get(0);
        try {
            return (Output) FilteredInput.read(bytes, FragmentBlock.class.getClassLoader(), RULE);
        } catch (IOException | ClassNotFoundException e) {
            throw new MillraceException(Culprit.INTERNAL, "a fragment could not be read: " + e, e);
        }
    }
}
