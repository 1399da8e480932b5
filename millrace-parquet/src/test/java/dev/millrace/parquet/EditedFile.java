package dev.millrace.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A Parquet file whose metadata is changed: the data stay as they are, what is added lies behind them.
final class EditedFile {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final ThriftTree.Struct footer;

    EditedFile(byte[] file) {
        int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
        footer = ThriftTree.read(file, file.length - 8 - length);
        body.write(file, 0, file.length - 8 - length);
    }

    ThriftTree.Struct footer() {
        return footer;
    }

    List<ThriftTree.Struct> groups() {
        List<ThriftTree.Struct> groups = new ArrayList<>();
        footer.list(4).values().forEach(group -> groups.add((ThriftTree.Struct) group));
        return groups;
    }

    /// A leaf's chunk: the struct with the places of its page index, and the column's metadata in its field 3.
    ThriftTree.Struct chunk(int group, int leaf) {
        return groups().get(group).list(1).struct(leaf);
    }

    /// The struct at this place of the file.
    ThriftTree.Struct at(long offset) {
        return ThriftTree.read(body.toByteArray(), offset);
    }

    /// Adds bytes and returns where they lie.
    long add(byte[] bytes) {
        long place = body.size();
        body.writeBytes(bytes);
        return place;
    }

    byte[] bytes() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(body.toByteArray());
        byte[] tail = footer.encoded();
        all.writeBytes(tail);
        all.writeBytes(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(tail.length)
                .array());
        all.writeBytes("PAR1".getBytes(StandardCharsets.US_ASCII));
        return all.toByteArray();
    }

    Path write(Path file) throws IOException {
        return Files.write(file, bytes());
    }
}
