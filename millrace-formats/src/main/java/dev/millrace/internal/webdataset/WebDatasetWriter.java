package dev.millrace.internal.webdataset;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.StringColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.OutputWindow;
import dev.millrace.internal.json.ValueTexts;
import dev.millrace.internal.numpy.NpyValue;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Writes one archive. Rows without keys get keys that are unique across all files.
final class WebDatasetWriter implements FileFormat.Writer {
    private final OutputWindow out;
    private final TarWriter tar;
    private final String keyPrefix = UUID.randomUUID().toString().substring(0, 13) + "-";
    private final ValueTexts json = new ValueTexts();
    private long rows;
    /// Null before the first row.
    private @Nullable String lastKey;

    WebDatasetWriter(WritableByteChannel channel, Allocator allocator) {
        this.out = new OutputWindow(channel, allocator);
        this.tar = new TarWriter(out, Instant.now().getEpochSecond());
    }

    @Override
    public void write(Block block) throws IOException {
        int keyColumn = block.schema().indexOf(WebDatasetFormat.KEY);
        for (long row = 0; row < block.rows(); row++, rows++) {
            String key = keyColumn < 0
                    ? keyPrefix + String.format(Locale.ROOT, "%09d", rows)
                    : requireKey(block.column(keyColumn), row);
            boolean any = false;
            for (int i = 0; i < block.schema().size(); i++) {
                if (i != keyColumn && !block.column(i).isNull(row)) {
                    String extension = block.schema().field(i).name();
                    byte[] name = (key + "." + extension).getBytes(StandardCharsets.UTF_8);
                    Column column = block.column(i);
                    if (SampledMembers.isLast(extension, "json") && !(column instanceof VariableWidthColumn)) {
                        text(name, json.of(column, row));
                    } else {
                        member(name, column, row);
                    }
                    any = true;
                }
            }
            if (!any) {
                throw MillraceException.user("writeWebDataset: all values of the row with the key '" + key
                        + "' are null, and a sample without members is none. Filter such rows out before the write.");
            }
        }
    }

    private String requireKey(Column keys, long row) {
        String key = keys.isNull(row) ? null : ((StringColumn) keys).get(row);
        if (key == null || key.isEmpty() || key.endsWith("/") || key.indexOf('.', key.lastIndexOf('/') + 1) >= 0) {
            throw MillraceException.user("writeWebDataset: " + (key == null ? "null" : "'" + key + "'")
                    + " is no key of a sample. It must have a name without dots: the first dot begins the extension.");
        }
        if (!isBelow(key)) {
            throw MillraceException.user(
                    "writeWebDataset: '" + key + "' is no key of a sample. Members are named by it,"
                            + " and whoever unpacks the archive would write outside of his folder. Keys are names, or relative"
                            + " paths with slashes, without '.', '..' and empty parts, backslashes, drives and control"
                            + " characters.");
        }
        if (key.equals(lastKey)) {
            throw MillraceException.user("writeWebDataset: two rows in a row have the key '" + key
                    + "', and would be read as one sample. Keys must be unique.");
        }
        lastKey = key;
        return key;
    }

    /// True if a member of this name is extracted into the current folder or below, on every system.
    private static boolean isBelow(String key) {
        boolean drive = key.length() > 1 && key.charAt(1) == ':' && Character.isLetter(key.charAt(0));
        if (drive || key.indexOf('\\') >= 0 || key.chars().anyMatch(Character::isISOControl)) {
            return false;
        }
        for (String part : key.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                return false;
            }
        }
        return true;
    }

    private void member(byte[] name, Column column, long row) throws IOException {
        switch (column) {
            case VariableWidthColumn bytes -> {
                long start = bytes.start(row);
                long size = bytes.end(row) - start;
                tar.begin(name, size);
                out.put(bytes.dataSegment(), start, size);
                tar.end();
            }
            case TensorColumn tensors ->
                array(
                        name,
                        tensors.type().element(),
                        tensors.type().shape().stream()
                                .mapToInt(Integer::intValue)
                                .toArray(),
                        tensors.segment(row));
            case VariableTensorColumn tensors ->
                array(name, tensors.type().element(), tensors.shape(row), tensors.segment(row));
            // As its text.
            default -> text(name, String.valueOf(column.value(row)).getBytes(StandardCharsets.UTF_8));
        }
    }

    private void text(byte[] name, byte[] text) throws IOException {
        tar.begin(name, text.length);
        out.put(text);
        tar.end();
    }

    private void array(byte[] name, DataType element, int[] shape, MemorySegment elements) throws IOException {
        byte[] header = NpyValue.header(element, shape);
        tar.begin(name, header.length + elements.byteSize());
        out.put(header);
        out.put(elements, 0, elements.byteSize());
        tar.end();
    }

    @Override
    public void close() throws IOException {
        try (out) {
            tar.finish();
            out.flush();
        }
    }
}
