package dev.millrace;

import dev.millrace.batch.Batch;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/// Reads small files that unpack to gigabytes, in a process with a small heap, and prints how each read ended.
final class HostileInputJob {
    private static final long LIMIT = 300_000_000;

    private HostileInputJob() {}

    public static void main(String[] folder) {
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withSlots(2).withMemory(LIMIT))
                .open()) {
            String in = folder[0] + "/";
            Map<String, Supplier<Dataset>> reads = new TreeMap<>();
            reads.put("text", () -> session.readText(in + "text.txt.gz"));
            reads.put("json", () -> session.readJson(in + "json.json.gz"));
            reads.put("array", () -> session.readJson(in + "array.json.gz"));
            reads.put("csv", () -> session.readCsv(in + "csv.csv.gz"));
            reads.put("quoted", () -> session.readCsv(in + "quoted.csv.gz"));
            reads.put("binary", () -> session.readBinaryFiles(in + "binary.bin.gz"));
            reads.put("webdataset", () -> session.readWebDataset(in + "webdataset.tar.gz"));
            reads.put("tfrecord", () -> session.readTfRecords(in + "tfrecord.tfrecords.gz"));
            reads.put("numpy", () -> session.readNumpy(in + "numpy.npy.gz"));
            reads.put("avro", () -> session.readAvro(in + "avro.avro"));
            reads.put("avrogzip", () -> session.readAvro(in + "avrogzip.avro.gz"));
            reads.put("arrow", () -> session.readArrow(in + "arrow.arrow.gz"));
            for (Map.Entry<String, Supplier<Dataset>> read : reads.entrySet()) {
                if (folder.length == 1 || folder[1].equals(read.getKey())) {
                    System.out.println(read.getKey() + ": " + end(read.getValue()));
                }
            }
        }
    }

    private static String end(Supplier<Dataset> read) {
        long began = System.nanoTime();
        String end;
        try {
            long rows = 0;
            try (CloseableIterator<Batch> batches = read.get().iterBatches(1)) {
                while (batches.hasNext()) {
                    rows += batches.next().rows();
                }
            }
            end = rows + " rows";
        } catch (Throwable e) {
            end = e.getClass().getSimpleName() + ": " + e.getMessage();
        }
        return (System.nanoTime() - began) / 1_000_000 + " ms: " + end.replace('\n', ' ');
    }
}
