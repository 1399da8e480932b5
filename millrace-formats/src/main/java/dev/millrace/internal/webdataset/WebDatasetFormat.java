package dev.millrace.internal.webdataset;

import dev.millrace.error.MillraceException;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.ReadWebDataset;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Reads WebDataset archives: one row per sample, its key in the column `__key__`, its members in columns named by
/// their extensions.
public record WebDatasetFormat(ReadWebDataset options) implements ReadFormat {
    static final String KEY = "__key__";

    public WebDatasetFormat {
        options.types().forEach((name, type) -> {
            if (!MemberColumn.isReadable(name, type)) {
                throw MillraceException.user(
                        "readWebDataset: members are read as binary, utf8, int64, float64 or tensors, and"
                                + " those of json as any type; '" + name
                                + "' cannot be of type " + type + ".");
            }
        });
    }

    @Override
    public String name() {
        return "WebDataset";
    }

    @Override
    public String verb() {
        return "readWebDataset";
    }

    @Override
    public List<String> endings() {
        return List.of(".tar");
    }

    @Override
    public double expansion() {
        return 1;
    }

    /// Tensors have a common type only if their element types are equal: they are not converted while they are read.
    @Override
    public Optional<DataType> commonType(DataType one, DataType other) {
        return Types.common(one, other).filter(type -> switch (type) {
            case DataType.Tensor tensor -> isTensorOf(one, tensor.element()) && isTensorOf(other, tensor.element());
            case DataType.VariableTensor tensor ->
                isTensorOf(one, tensor.element()) && isTensorOf(other, tensor.element());
            // Not a tensor, so there is nothing to compare.
            default -> true;
        });
    }

    private static boolean isTensorOf(DataType type, DataType element) {
        return switch (type) {
            case DataType.Tensor tensor -> tensor.element().equals(element);
            case DataType.VariableTensor tensor -> tensor.element().equals(element);
            // Not a tensor, so there is nothing to compare.
            default -> true;
        };
    }

    @Override
    public Schema schema(FileRange first, ReadContext context) throws IOException {
        try (ArchiveSamples samples = new ArchiveSamples(first, context.allocator())) {
            return SampledMembers.of(samples, options);
        }
    }

    @Override
    public SplitReader open(FileRange range, WantedColumns wanted, ReadContext context) throws IOException {
        return new SampleReader(this, range, wanted, context);
    }
}
