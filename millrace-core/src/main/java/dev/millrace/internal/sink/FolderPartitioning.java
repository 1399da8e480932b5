package dev.millrace.internal.sink;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.WriteOptions;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Distributes rows over folders named after the values of some columns.
///
/// @param positions of those columns in `schema`
/// @param files the remaining columns
public record FolderPartitioning(Schema schema, List<Integer> positions, Schema files) {
    static final int MAX_FOLDERS = 10_000;

    private static final String HIVE_NULL = "__HIVE_DEFAULT_PARTITION__";
    private static final Object NOTHING = new Object();
    private static final String ESCAPED = "\"#%'*/:=?\\{[]^";

    /// @throws MillraceException culprit USER, for columns that are missing or cannot name folders
    public static FolderPartitioning of(Schema schema, WriteOptions options) {
        List<Integer> positions = new ArrayList<>();
        for (String name : options.partitionBy()) {
            int position = schema.require(name, "partitionBy");
            requireNameable(schema.field(position));
            positions.add(position);
        }
        List<Field> left = schema.fields().stream()
                .filter(field -> !options.partitionBy().contains(field.name()))
                .toList();
        if (left.isEmpty()) {
            throw MillraceException.user(
                    "partitionBy: all columns, " + schema.names() + ", name folders, and none is left for the files.");
        }
        return new FolderPartitioning(schema, positions, Schema.of(left));
    }

    private static void requireNameable(Field field) {
        if (field.name().isEmpty()
                || field.name().startsWith("_")
                || field.name().startsWith(".")) {
            throw MillraceException.user("partitionBy: column '" + field.name()
                    + "' cannot name folders: those that begin with '_' or '.' are not read. Rename it.");
        }
        DataType type = field.type() instanceof DataType.Dictionary dictionary ? dictionary.value() : field.type();
        boolean fits = switch (type) {
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Decimal _,
                    DataType.Date _,
                    DataType.Utf8 _ -> true;
            case DataType.Float _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Duration _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> false;
        };
        if (!fits) {
            throw MillraceException.user("partitionBy: column '" + field.name() + "' of type " + field.type()
                    + " cannot name folders. Strings, integers, booleans, dates and decimals can: make a column of one of"
                    + " these from it.");
        }
    }

    /// The rows of one folder; the caller closes them.
    public record Part(String folder, Block rows) {}

    /// Distributes a block, which the caller keeps; the order of rows is kept within each folder.
    public List<Part> split(Block block, Allocator allocator) {
        int rows = Math.toIntExact(block.rows());
        int[] groups = new int[rows];
        int count = rows == 0 ? 0 : 1;
        for (int position : positions) {
            count = refine(block.column(position), groups, count);
        }
        if (count > MAX_FOLDERS) {
            throw tooManyFolders();
        }
        int[] sizes = new int[count];
        for (int group : groups) {
            sizes[group]++;
        }
        List<Part> parts = new ArrayList<>();
        boolean done = false;
        try (Block without = without(block)) {
            int[][] rowsOf = new int[count][];
            Arrays.setAll(rowsOf, group -> new int[sizes[group]]);
            int[] filled = new int[count];
            for (int row = 0; row < rows; row++) {
                rowsOf[groups[row]][filled[groups[row]]++] = row;
            }
            for (int[] some : rowsOf) {
                Block taken = count == 1 ? without.retain() : Blocks.take(allocator, without, some, some.length);
                parts.add(new Part(folder(block, some[0]), taken));
            }
            done = true;
            return parts;
        } finally {
            if (!done) {
                parts.forEach(part -> part.rows().close());
            }
        }
    }

    MillraceException tooManyFolders() {
        List<String> names = positions.stream()
                .map(position -> schema.field(position).name())
                .toList();
        return MillraceException.user("partitionBy(" + String.join(", ", names) + "): one task has rows for more than "
                + MAX_FOLDERS + " folders. Partition by columns with fewer values, or sort by them before the write.");
    }

    private Block without(Block block) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < schema.size(); i++) {
            if (!positions.contains(i)) {
                columns.add(block.column(i));
            }
        }
        return Block.sharing(files, columns, block.rows());
    }

    /// Divides each group by the values of one more column; groups are numbered in the order of their first rows.
    private static int refine(Column column, int[] groups, int count) {
        Map<Object, Integer> values = new HashMap<>();
        Map<Long, Integer> pairs = new HashMap<>();
        Object last = null;
        int code = 0;
        long lastPair = -1;
        int group = 0;
        for (int row = 0; row < groups.length; row++) {
            Object value = column instanceof DictionaryColumn coded && !coded.isNull(row)
                    ? (Object) coded.index(row)
                    : column.value(row);
            if (row == 0 || !Objects.equals(value, last)) {
                code = values.computeIfAbsent(value == null ? NOTHING : value, _ -> values.size());
                last = value;
            }
            long pair = (long) groups[row] << 32 | code;
            if (pair != lastPair) {
                group = pairs.computeIfAbsent(pair, _ -> pairs.size());
                lastPair = pair;
            }
            groups[row] = group;
        }
        return groups.length == 0 ? count : pairs.size();
    }

    private String folder(Block block, int row) {
        StringBuilder folder = new StringBuilder();
        for (int position : positions) {
            if (!folder.isEmpty()) {
                folder.append('/');
            }
            folder.append(escape(schema.field(position).name()))
                    .append('=')
                    .append(text(block.column(position).value(row)));
        }
        return folder.toString();
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> HIVE_NULL;
            // Hive has no empty values: it reads them as null, too.
            case String text -> text.isEmpty() ? HIVE_NULL : escape(text);
            case BigDecimal decimal -> decimal.toPlainString();
            default -> escape(value.toString());
        };
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c == 0x7F || ESCAPED.indexOf(c) >= 0) {
                escaped.append(String.format(Locale.ROOT, "%%%02X", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
