package dev.millrace.benchmarks.workload;

import dev.millrace.benchmarks.Workload;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// All workloads, in the order they are listed.
public final class Workloads {
    private static final List<Workload> ALL =
            Stream.concat(fixed(), MixedWorkload.all().stream()).toList();

    private static Stream<Workload> fixed() {
        return Stream.of(
                new RowsWorkload(),
                new RecordsWorkload(),
                new RangeWorkload(),
                new StartWorkload(),
                new TinyWorkload(),
                new ConnectWorkload(),
                new StragglerWorkload(false),
                new StragglerWorkload(true),
                new LostWorkerWorkload(),
                new SchedulingWorkload(),
                new OrderWorkload(),
                new SpillWorkload(),
                new MemoryWorkload(),
                new ScanWorkload(),
                new ReadWorkload(),
                new CsvWorkload(),
                new JsonWorkload(),
                new EtlWorkload(),
                new SortWorkload(),
                new ShuffleWorkload(),
                new GroupByWorkload(GroupByWorkload.Kind.FEW),
                new GroupByWorkload(GroupByWorkload.Kind.MEANS),
                new GroupByWorkload(GroupByWorkload.Kind.MANY),
                new JoinWorkload(),
                new LeftJoinWorkload(),
                QuestionWorkload.WINDOW,
                QuestionWorkload.WINDOW_WHOLE,
                QuestionWorkload.DISTINCT,
                QuestionWorkload.VALUE_COUNTS,
                QuestionWorkload.APPROX_DISTINCT,
                new LargeWorkload(false),
                new LargeWorkload(true),
                new SmallFilesWorkload(),
                new ImagesWorkload(),
                new TinyImagesWorkload(),
                new InferenceWorkload(),
                new ActorsWorkload());
    }

    private Workloads() {}

    public static List<Workload> all() {
        return ALL;
    }

    public static Optional<Workload> find(String name) {
        return ALL.stream().filter(workload -> workload.name().equals(name)).findFirst();
    }
}
