package dev.millrace.benchmarks;

import dev.millrace.benchmarks.workload.ActorsWorkload;
import dev.millrace.benchmarks.workload.CsvWorkload;
import dev.millrace.benchmarks.workload.EtlWorkload;
import dev.millrace.benchmarks.workload.GroupByWorkload;
import dev.millrace.benchmarks.workload.ImagesWorkload;
import dev.millrace.benchmarks.workload.InferenceWorkload;
import dev.millrace.benchmarks.workload.JoinWorkload;
import dev.millrace.benchmarks.workload.JsonWorkload;
import dev.millrace.benchmarks.workload.LargeWorkload;
import dev.millrace.benchmarks.workload.LeftJoinWorkload;
import dev.millrace.benchmarks.workload.MemoryWorkload;
import dev.millrace.benchmarks.workload.OrderWorkload;
import dev.millrace.benchmarks.workload.QuestionWorkload;
import dev.millrace.benchmarks.workload.RangeWorkload;
import dev.millrace.benchmarks.workload.ReadWorkload;
import dev.millrace.benchmarks.workload.RecordsWorkload;
import dev.millrace.benchmarks.workload.RowsWorkload;
import dev.millrace.benchmarks.workload.ScanWorkload;
import dev.millrace.benchmarks.workload.SchedulingWorkload;
import dev.millrace.benchmarks.workload.ShuffleWorkload;
import dev.millrace.benchmarks.workload.SmallFilesWorkload;
import dev.millrace.benchmarks.workload.SortWorkload;
import dev.millrace.benchmarks.workload.SpillWorkload;
import dev.millrace.benchmarks.workload.StartWorkload;
import dev.millrace.benchmarks.workload.TinyImagesWorkload;
import java.util.List;
import java.util.Optional;

/// All workloads, in the order they are listed.
public final class Workloads {
    private static final List<Workload> ALL = List.of(
            new RowsWorkload(),
            new RecordsWorkload(),
            new RangeWorkload(),
            new StartWorkload(),
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

    private Workloads() {}

    public static List<Workload> all() {
        return ALL;
    }

    public static Optional<Workload> find(String name) {
        return ALL.stream().filter(workload -> workload.name().equals(name)).findFirst();
    }
}
