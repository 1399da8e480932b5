package dev.millrace.internal.iceberg;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Base64;
import org.apache.iceberg.DataFile;

/// A data file with its metrics as text, on its way from a task to the commit.
public final class DataFileText {
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
        try (ObjectInputStream in = new ObjectInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            return (DataFile) in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException("a data file that was written cannot be read back: " + e.getMessage(), e);
        }
    }
}
