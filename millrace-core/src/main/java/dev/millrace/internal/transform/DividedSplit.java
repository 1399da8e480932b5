package dev.millrace.internal.transform;

import dev.millrace.source.ReadContext;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import java.util.List;
import java.util.OptionalLong;

/// A split whose rows become several blocks: its source could not be split further, and the user asked for more blocks
/// than it has splits.
public record DividedSplit(Split split, int blocks) implements Split {
    @Override
    public String description() {
        return split.description();
    }

    @Override
    public OptionalLong rows() {
        return split.rows();
    }

    @Override
    public OptionalLong sizeBytes() {
        return split.sizeBytes();
    }

    @Override
    public List<String> inputFiles() {
        return split.inputFiles();
    }

    @Override
    public SplitReader open(ReadContext context) throws Exception {
        return split.open(context);
    }
}
