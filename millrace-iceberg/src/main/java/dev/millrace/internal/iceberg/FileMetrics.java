package dev.millrace.internal.iceberg;

import dev.millrace.internal.parquet.format.FooterBytes;
import dev.millrace.internal.parquet.format.PhysicalType;
import dev.millrace.internal.parquet.format.SchemaElement;
import dev.millrace.internal.parquet.format.WrittenChunk;
import dev.millrace.internal.parquet.write.ParquetFileWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.MetricsModes;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Comparators;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.BinaryUtil;
import org.apache.iceberg.util.UnicodeUtil;
import org.jspecify.annotations.Nullable;

/// The column metrics of a data file, computed from its Parquet footer. Columns within lists and maps have no metrics,
/// as the format requires.
final class FileMetrics {
    private final Schema schema;
    private final MetricsConfig config;
    /// Columns with one value per row: those outside of lists and maps.
    private final Set<Integer> single = new HashSet<>();

    private final Map<Integer, Long> sizes = new HashMap<>();
    private final Map<Integer, Long> values = new HashMap<>();
    private final Map<Integer, Long> nulls = new HashMap<>();
    private final Map<Integer, Object> lower = new HashMap<>();
    private final Map<Integer, Object> upper = new HashMap<>();
    /// Columns with a row group whose bounds are unknown.
    private final Set<Integer> unbounded = new HashSet<>();

    private FileMetrics(Schema schema, MetricsConfig config) {
        this.schema = schema;
        this.config = config;
        addSingle(schema.asStruct());
    }

    private void addSingle(Types.StructType struct) {
        for (Types.NestedField field : struct.fields()) {
            if (field.type().isStructType()) {
                addSingle(field.type().asStructType());
            } else if (field.type().isPrimitiveType()) {
                single.add(field.fieldId());
            }
        }
    }

    static Metrics of(ParquetFileWriter file, long rows, Schema schema, MetricsConfig config) {
        FileMetrics metrics = new FileMetrics(schema, config);
        List<SchemaElement> leaves = file.elements().stream()
                .filter(element -> element.type() != null)
                .toList();
        for (FooterBytes.Group group : file.written()) {
            for (int i = 0; i < leaves.size(); i++) {
                metrics.add(leaves.get(i), group.chunks().get(i), group.rows());
            }
        }
        return new Metrics(
                rows,
                metrics.sizes,
                metrics.values,
                metrics.nulls,
                null,
                metrics.bounds(metrics.lower, false),
                metrics.bounds(metrics.upper, true));
    }

    private MetricsModes.MetricsMode mode(int id) {
        return config.columnMode(schema.findColumnName(id));
    }

    private void add(SchemaElement leaf, WrittenChunk chunk, long rows) {
        int id = leaf.fieldId();
        sizes.merge(id, chunk.compressedBytes(), Long::sum);
        if (!single.contains(id) || mode(id) instanceof MetricsModes.None) {
            return;
        }
        values.merge(id, rows, Long::sum);
        nulls.merge(id, chunk.nulls(), Long::sum);
        if (mode(id) instanceof MetricsModes.Counts || chunk.nulls() == chunk.values()) {
            return;
        }
        Type.PrimitiveType type = schema.findField(id).type().asPrimitiveType();
        if (chunk.bounds() == null
                || chunk.bounds().min() == null
                || chunk.bounds().max() == null) {
            unbounded.add(id);
            return;
        }
        Comparator<Object> order = Comparators.forType(type);
        lower.merge(id, value(type, leaf, chunk.bounds().min()), (a, b) -> order.compare(a, b) <= 0 ? a : b);
        upper.merge(id, value(type, leaf, chunk.bounds().max()), (a, b) -> order.compare(a, b) >= 0 ? a : b);
    }

    /// A bound in Parquet's plain encoding, converted to the library's representation.
    private static Object value(Type type, SchemaElement leaf, byte[] plain) {
        if (type instanceof Types.DecimalType decimal) {
            BigInteger unscaled =
                    leaf.type() == PhysicalType.FIXED_LEN_BYTE_ARRAY || leaf.type() == PhysicalType.BYTE_ARRAY
                            ? new BigInteger(plain)
                            : BigInteger.valueOf(
                                    leaf.type() == PhysicalType.INT32
                                            ? little(plain).getInt()
                                            : little(plain).getLong());
            return new BigDecimal(unscaled, decimal.scale());
        }
        // For all other types Iceberg's single-value serialisation is the same as Parquet's plain encoding.
        return Conversions.fromByteBuffer(type, little(plain));
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private Map<Integer, ByteBuffer> bounds(Map<Integer, Object> found, boolean up) {
        Map<Integer, ByteBuffer> bounds = new HashMap<>();
        found.forEach((id, value) -> {
            Type type = schema.findField(id).type();
            Object kept = unbounded.contains(id) ? null : cut(mode(id), type, value, up);
            if (kept != null) {
                bounds.put(id, Conversions.toByteBuffer(type, kept));
            }
        });
        return bounds;
    }

    /// Truncates long texts to the length that the table keeps; null if the result is no bound any more.
    private static @Nullable Object cut(MetricsModes.MetricsMode mode, Type type, Object value, boolean up) {
        if (!(mode instanceof MetricsModes.Truncate truncate)) {
            return value;
        }
        int length = truncate.length();
        return switch (type.typeId()) {
            case STRING -> {
                Literal<CharSequence> text = Literal.of((CharSequence) value.toString());
                yield value(
                        up ? UnicodeUtil.truncateStringMax(text, length) : UnicodeUtil.truncateStringMin(text, length));
            }
            case BINARY -> {
                Literal<ByteBuffer> bytes = Literal.of((ByteBuffer) value);
                yield value(
                        up ? BinaryUtil.truncateBinaryMax(bytes, length) : BinaryUtil.truncateBinaryMin(bytes, length));
            }
            default -> value;
        };
    }

    private static @Nullable Object value(@Nullable Literal<?> literal) {
        return literal == null ? null : literal.value();
    }
}
