package dev.millrace.internal.iceberg;

import dev.millrace.internal.serial.FilteredInput;
import dev.millrace.internal.serial.SerialRule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.Base64;
import org.apache.iceberg.DataFile;

/// A data file with its metrics as text, sent from a task to the commit.
public final class DataFileText {
    private static final SerialRule RULE = SerialRule.only(
            "org.apache.iceberg.", "org.apache.avro.", "java.lang.", "java.util.", "java.math.", "java.nio.");

    private DataFileText() {}

    static String of(DataFile file) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(file);
        } catch (IOException e) {
            throw new IllegalStateException("a data file cannot be serialised: " + e.getMessage(), e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    public static DataFile read(String text) {
        try {
            return (DataFile)
                    FilteredInput.read(Base64.getDecoder().decode(text), DataFileText.class.getClassLoader(), RULE);
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException("a data file that was written cannot be read back: " + e.getMessage(), e);
        }
    }
}
