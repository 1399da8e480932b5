package dev.millrace.internal.json;

import static dev.millrace.internal.json.JsonSyntaxException.clash;
import static dev.millrace.internal.json.JsonSyntaxException.wrong;

import dev.millrace.block.BlockBuilder;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.StructBuilder;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads objects field by field: those of a struct, or the records of a file. Keys mostly come in the order of the
/// fields, so the expected next key is compared with the bytes before any lookup.
public final class ObjectReader {
    /// A field and the reader of its values; null to skip them.
    private record Slot(FieldKey key, @Nullable ValueReader reader) {}

    private final boolean isRecord;
    private final Slot[] slots;
    /// The number of slots with a reader.
    private final int wanted;

    private final Map<String, Integer> positions = new HashMap<>();
    private final boolean strict;

    public ObjectReader(StructBuilder structs, JsonNumbers numbers, boolean lenient, boolean strict) {
        this.isRecord = false;
        this.strict = strict;
        List<Field> fields = structs.type().fields();
        this.slots = new Slot[fields.size()];
        this.wanted = slots.length;
        for (int i = 0; i < slots.length; i++) {
            put(i, fields.get(i).name(), ValueReader.of(structs.child(i), numbers, lenient, strict));
        }
    }

    /// Reads the records of a file.
    ///
    /// @param known the fields of records, in their usual order; those that are not in `rows` are skipped
    /// @param lenient columns whose type was given
    /// @param strict a field that is not known is an error
    public ObjectReader(BlockBuilder rows, Schema known, Set<String> lenient, boolean strict) {
        this.isRecord = true;
        this.strict = strict;
        this.slots = new Slot[known.size()];
        JsonNumbers numbers = new JsonNumbers();
        int count = 0;
        for (int i = 0; i < slots.length; i++) {
            String name = known.field(i).name();
            boolean isWanted = rows.schema().contains(name);
            put(i, name, isWanted ? ValueReader.of(rows.column(name), numbers, lenient.contains(name), strict) : null);
            count += isWanted ? 1 : 0;
        }
        this.wanted = count;
    }

    private void put(int position, String name, @Nullable ValueReader reader) {
        slots[position] = new Slot(new FieldKey(name), reader);
        positions.put(name, position);
    }

    /// Reads the fields of an object as the value `row` of their columns.
    public int fields(JsonCursor in, int from, int depth, long row) {
        in.requireDepth(depth, from);
        byte[] b = in.bytes;
        Slot[] all = slots;
        int next = 0;
        int seen = 0;
        int at = from + 1;
        if (b[at] <= ' ') {
            at = in.skipSpace(at);
        }
        if (b[at] == '}') {
            at++;
        } else {
            while (true) {
                int position;
                if (next < all.length && all[next].key.isAt(b, at)) {
                    position = next;
                    at += all[next].key.length();
                } else {
                    if (b[at] != '"') {
                        throw in.unexpected("a key in quotes should follow", at);
                    }
                    int end = in.string(at);
                    position = find(in, at);
                    at = end;
                }
                at = in.colon(at);
                ValueReader reader = position < 0 ? null : all[position].reader;
                if (reader == null) {
                    at = in.skipValue(at);
                } else {
                    if (reader.target.length() != row) {
                        throw wrong("the key '" + name(position) + "' comes twice in one object", at);
                    }
                    at = value(reader, in, at, depth + 1, position);
                    seen++;
                }
                next = position + 1;
                if (b[at] != ',' && b[at] != '}') {
                    at = in.skipSpace(at);
                }
                if (b[at] == '}') {
                    at++;
                    break;
                }
                if (b[at] != ',') {
                    throw in.unexpected("a comma or '}' should follow", at);
                }
                at++;
                if (b[at] <= ' ') {
                    at = in.skipSpace(at);
                }
            }
        }
        if (seen != wanted) {
            fillMissing(row);
        }
        return at;
    }

    private int value(ValueReader reader, JsonCursor in, int at, int depth, int position) {
        try {
            return reader.read(in, at, depth);
        } catch (JsonSyntaxException e) {
            if (e.isClash() && isRecord) {
                throw clash("in column '" + name(position) + "' " + e.getMessage(), e.at());
            }
            throw e;
        }
    }

    private String name(int position) {
        return slots[position].key.name();
    }

    /// The slot of the key that the cursor read last, which begins at `at`; -1 to skip the field.
    private int find(JsonCursor in, int at) {
        String key = new String(in.text, in.textFrom, in.textTo - in.textFrom, StandardCharsets.UTF_8);
        Integer position = positions.get(key);
        if (position == null && strict) {
            throw clash("there is a field '" + key + "' that is not among the known ones", at);
        }
        return position == null ? -1 : position;
    }

    private void fillMissing(long row) {
        for (Slot slot : slots) {
            if (slot.reader != null) {
                ColumnBuilder column = slot.reader.target;
                if (column.length() == row) {
                    column.appendNull();
                }
            }
        }
    }
}
