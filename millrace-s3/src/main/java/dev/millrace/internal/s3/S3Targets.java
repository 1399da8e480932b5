package dev.millrace.internal.s3;

import dev.millrace.sink.Target;
import dev.millrace.sink.TargetProvider;
import java.util.List;

/// Folders in S3 as write targets.
public final class S3Targets implements TargetProvider {
    @Override
    public List<String> schemes() {
        return List.of("s3", "s3a");
    }

    @Override
    public Target open(String folder, List<String> endings) {
        return new S3Target(S3Path.of(folder), endings);
    }
}
