package dev.millrace;

import dev.millrace.batch.Batch;
import dev.millrace.error.MillraceException;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadJson;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/// Reads small files that unpack to much, and prints how each read ended.
final class HostileInputJob {
    private static final long LIMIT = 300_000_000;

    private HostileInputJob() {}

    public static void main(String[] folder) {
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withSlots(2).withMemory(LIMIT))
                .open()) {
            String in = folder[0] + "/";
            Map<String, Supplier<Dataset>> reads = new LinkedHashMap<>();
            reads.put("text", () -> session.readText(in + "text.txt.gz"));
            reads.put(
                    "json",
                    () -> session.readJson(
                            in + "json.jsonl.gz", ReadJson.defaults().lines()));
            reads.put("array", () -> session.readJson(in + "array.json.gz"));
            reads.put("csv", () -> session.readCsv(in + "csv.csv.gz"));
            reads.put("quoted", () -> session.readCsv(in + "quoted.csv.gz"));
            reads.put(
                    "binary",
                    () -> session.readBinaryFiles(
                            in + "binary.bin.gz", FileReads.defaults().compression("gzip")));
            reads.put("webdataset", () -> session.readWebDataset(in + "webdataset.tar.gz"));
            reads.put("tfrecord", () -> session.readTfRecords(in + "tfrecord.tfrecords.gz"));
            reads.put("avro", () -> session.readAvro(in + "avro.avro"));
            reads.forEach((name, read) -> System.out.println(name + ": " + end(read)));
        }
    }

    private static String end(Supplier<Dataset> read) {
        long began = System.nanoTime();
        String end;
        try (CloseableIterator<Batch> batches = read.get().iterBatches(1)) {
            long rows = 0;
            while (batches.hasNext()) {
                rows += batches.next().rows();
            }
            end = rows + " rows";
        } catch (MillraceException e) {
            end = e.getMessage();
        }
        return (System.nanoTime() - began) / 1_000_000 + " ms: " + end.replace('\n', ' ');
    }
}
