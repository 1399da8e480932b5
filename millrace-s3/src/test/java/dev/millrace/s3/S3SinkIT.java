package dev.millrace.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Checkpoint;
import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.files.FileSink;
import dev.millrace.internal.parquet.write.ParquetFileFormat;
import dev.millrace.parquet.WriteParquet;
import dev.millrace.sink.WriteMode;
import dev.millrace.sink.WriteOptions;
import dev.millrace.sink.WriteSummary;
import dev.millrace.testing.SinkContract;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What every sink of files does, on S3; and what only object stores have.
class S3SinkIT extends SinkContract {
    private static final AtomicInteger TESTS = new AtomicInteger();
    private static S3Server server;

    /// Rows at which functions fail.
    private static volatile long poison = -1;

    private final String prefix = "sink-" + TESTS.incrementAndGet() + "/out";

    @BeforeAll
    static void start() {
        server = S3Server.get();
    }

    @AfterEach
    void noUploadIsLeft() {
        poison = -1;
        server.proxy.fail(0, 0);
        assertThat(server.uploads()).isEmpty();
    }

    @Override
    protected FileSink sink(String target, WriteOptions options) {
        return FileSink.to(target, new ParquetFileFormat(WriteParquet.defaults()), options);
    }

    @Override
    protected Dataset read(Session from, String target) {
        return from.readParquet(target);
    }

    @Override
    protected String out() {
        return "s3://" + S3Server.BUCKET + "/" + prefix;
    }

    @Override
    protected boolean isLocal() {
        return false;
    }

    private static String key(String path) {
        return path.substring(("s3://" + S3Server.BUCKET + "/").length());
    }

    @Override
    protected List<String> entries() {
        return server.keys(prefix + "/").stream()
                .filter(key -> !key.endsWith("/_SUCCESS"))
                .map(key -> "s3://" + S3Server.BUCKET + "/" + key)
                .toList();
    }

    @Override
    protected long sizeOf(String file) {
        return server.keys(key(file)).contains(key(file))
                ? server.client
                        .headObject(object -> object.bucket(S3Server.BUCKET).key(key(file)))
                        .contentLength()
                : -1;
    }

    @Override
    protected void put(String file, String text) {
        server.put(key(file), text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    protected void move(String from, String to) {
        server.client.copyObject(copy -> copy.sourceBucket(S3Server.BUCKET)
                .sourceKey(key(from))
                .destinationBucket(S3Server.BUCKET)
                .destinationKey(key(to)));
        server.client.deleteObject(object -> object.bucket(S3Server.BUCKET).key(key(from)));
    }

    @Override
    protected void makeEmpty() {
        server.keys(prefix + "/")
                .forEach(key -> server.client.deleteObject(
                        object -> object.bucket(S3Server.BUCKET).key(key)));
    }

    private String flaky() {
        return "s3://flaky@" + S3Server.BUCKET + "/" + prefix;
    }

    private static Row visit(Row row) {
        if (row.getLong("id") == poison) {
            throw new IllegalStateException("poison " + poison);
        }
        return row.copy();
    }

    /// Texts that do not compress, so that 20,000 rows are about 20 MB.
    private Dataset large(Session from) {
        return from.range(20_000, 1).map(row -> {
            long id = row.getLong("id");
            byte[] bytes = new byte[1000];
            new java.util.Random(id).nextBytes(bytes);
            return Row.of("id", visit(row).getLong("id"), "bytes", bytes);
        });
    }

    @Test
    void largeFilesAreUploadedInParts() {
        server.proxy.fail(0, 0);
        WriteSummary summary = large(session).write(sink(flaky(), WriteOptions.defaults()));
        assertThat(summary.files()).hasSize(1);
        assertThat(summary.bytes()).isGreaterThan(20_000_000);
        assertThat(server.proxy.requests.stream().filter(line -> line.contains("partNumber=")))
                .hasSize(3);
        assertThat(ids()).isEqualTo(upTo(20_000));
    }

    @Test
    void aFailureInTheMiddleOfAnUploadEndsIt() {
        poison = 15_000;
        server.proxy.fail(0, 0);
        assertThatThrownBy(() -> large(session).write(sink(flaky(), WriteOptions.defaults())))
                .hasMessageContaining("poison 15000");
        assertThat(server.proxy.requests).anyMatch(line -> line.contains("partNumber="));
        assertThat(server.uploads()).isEmpty();
        assertThat(entries()).isEmpty();
    }

    @Test
    void whatACrashLeavesIsNotVisibleAndGoesWithTime() {
        // As a process leaves it that dies in the middle: an object, an upload with a part, the mark of the job.
        String dead = prefix + "/_temporary/20200101-000000-000-abcdef/";
        server.put(dead + ".job", new byte[0]);
        server.put(dead + "0-0.parquet", new byte[100]);
        String young = prefix + "/_temporary/29991231-000000-000-abcdef/0-0.parquet";
        server.put(young, new byte[100]);
        String noted = prefix + "/_temporary/20200101-000000-000-123456.resumable/0-0.parquet";
        server.put(noted, new byte[100]);
        server.client.createMultipartUpload(
                upload -> upload.bucket(S3Server.BUCKET).key(dead + "0-1.parquet"));
        assertThatThrownBy(() -> read(session, out())).hasMessageContaining("has no files");
        assertThat(write(session.range(3, 1), WriteOptions.defaults().mode(WriteMode.ERROR))
                        .rows())
                .isEqualTo(3);
        assertThat(ids()).isEqualTo(upTo(3));
        assertThat(server.keys(prefix + "/_temporary/")).containsExactly(noted, young);
    }

    @Test
    void throttlingDoesNotDoubleOrLoseRows() {
        for (long seed = 0; seed < 3; seed++) {
            server.proxy.fail(15, seed);
            Dataset rows = session.range(500, 8).map(Row::copy);
            rows.write(sink(flaky(), WriteOptions.defaults().overwrite()));
            assertThat(server.proxy.faults.get()).isPositive();
            server.proxy.fail(0, 0);
            assertThat(ids()).as("seed " + seed).isEqualTo(upTo(500));
            assertThat(entries()).noneMatch(entry -> entry.contains("_temporary"));
        }
    }

    @Test
    void aCommitThatFailsIsUndone() {
        write(session.range(5, 1));
        List<String> before = entries();
        server.proxy.fail(0, 0);
        // The copy of the second file.
        WriteOptions named = WriteOptions.defaults().names(part -> "b" + part.task() + ".parquet");
        server.proxy.failAlways("PUT /" + S3Server.BUCKET + "/" + prefix + "/b1.parquet");
        assertThatThrownBy(() -> session.range(10, 2).map(Row::copy).write(sink(flaky(), named)))
                .hasMessageContaining("did not get its new files: the commit failed and was undone")
                .hasMessageContaining("500");
        server.proxy.fail(0, 0);
        assertThat(entries()).isEqualTo(before);
        assertThat(server.keys(prefix + "/")).contains(prefix + "/_SUCCESS");
    }

    @Test
    void aCheckpointedWriteGoesOnWhereItWas(@org.junit.jupiter.api.io.TempDir Path memory) {
        Dataset rows = session.range(400, 40).map(S3SinkIT::visit);
        poison = 250;
        assertThatThrownBy(() -> rows.checkpoint(memory.toString()).write(sink(out(), WriteOptions.defaults())))
                .hasMessageContaining("poison 250");
        assertThat(Checkpoint.status(memory.toString()).done()).isLessThan(40);
        poison = -1;
        rows.checkpoint(memory.toString()).write(sink(out(), WriteOptions.defaults()));
        assertThat(ids()).isEqualTo(upTo(400));
        assertThat(entries()).hasSize(40).noneMatch(entry -> entry.contains("_temporary"));
        assertThat(Checkpoint.status(memory.toString()).finished()).isTrue();
    }

    @Test
    void aMissingBucketIsAnErrorAtTheCall() {
        assertThatThrownBy(() -> session.range(3).write(sink("s3://no-such-bucket/x", WriteOptions.defaults())))
                .hasMessage("'s3://no-such-bucket/x' cannot be written to: there is no bucket 'no-such-bucket' at "
                        + server.address + ".");
    }
}
