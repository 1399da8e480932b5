package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files of less than a megabyte that unpack to more than the memory of the session end in a sentence, in a
/// process whose heap is small.
class HostileInputTest {
    private static final int PIECE = 16 << 20;
    private static final int PIECES = 24;
    private static final long UNPACKED = (long) PIECE * PIECES;

    @TempDir
    Path folder;

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(out)) {
            packed.write(bytes);
        }
        return out.toByteArray();
    }

    private static byte[] gzip(String text) throws IOException {
        return gzip(text.getBytes(StandardCharsets.UTF_8));
    }

    /// A file of parts that were packed one by one: the first, the middle many times, the last.
    private void write(String name, byte[] first, byte[] middle, byte[] last) throws IOException {
        try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
            out.write(first);
            for (int i = 0; i < PIECES; i++) {
                out.write(middle);
            }
            out.write(last);
        }
        assertThat(Files.size(folder.resolve(name))).isLessThan(UNPACKED / 500);
    }

    private static byte[] letters() {
        byte[] letters = new byte[PIECE];
        Arrays.fill(letters, (byte) 'a');
        return letters;
    }

    private static byte[] tarHeader() {
        byte[] header = new byte[512];
        ByteBuffer all = ByteBuffer.wrap(header);
        all.put(0, "a.bin".getBytes(StandardCharsets.US_ASCII));
        all.put(100, "0000644\0".getBytes(StandardCharsets.US_ASCII));
        all.put(124, String.format("%011o\0", UNPACKED).getBytes(StandardCharsets.US_ASCII));
        all.put(136, "00000000000\0".getBytes(StandardCharsets.US_ASCII));
        all.put(148, "        0".getBytes(StandardCharsets.US_ASCII));
        all.put(257, "ustar\00000".getBytes(StandardCharsets.US_ASCII));
        int sum = 0;
        for (byte value : header) {
            sum += value & 0xFF;
        }
        all.put(148, String.format("%06o\0 ", sum).getBytes(StandardCharsets.US_ASCII));
        return header;
    }

    private static byte[] recordHeader() {
        ByteBuffer header = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(0, UNPACKED);
        CRC32C crc = new CRC32C();
        crc.update(header.array(), 0, 8);
        int sum = (int) crc.getValue();
        header.putInt(8, (sum >>> 15 | sum << 17) + 0xa282ead8);
        return header.array();
    }

    private static void number(OutputStream out, long value) throws IOException {
        long left = value << 1 ^ value >> 63;
        for (; left > 0x7f; left >>>= 7) {
            out.write((int) (left & 0x7f | 0x80));
        }
        out.write((int) left);
    }

    private static void text(OutputStream out, String text) throws IOException {
        number(out, text.length());
        out.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /// One block with one value of bytes.
    private void writeAvro(String name) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        try (DeflaterOutputStream packed = new DeflaterOutputStream(block, deflater)) {
            number(packed, UNPACKED);
            byte[] zeros = new byte[PIECE];
            for (int i = 0; i < PIECES; i++) {
                packed.write(zeros);
            }
        }
        byte[] marker = "a marker of sync".getBytes(StandardCharsets.US_ASCII);
        try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
            out.write(new byte[] {'O', 'b', 'j', 1});
            number(out, 2);
            text(out, "avro.schema");
            text(out, "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"bytes\"}]}");
            text(out, "avro.codec");
            text(out, "deflate");
            number(out, 0);
            out.write(marker);
            number(out, 1);
            number(out, block.size());
            block.writeTo(out);
            out.write(marker);
        }
    }

    @Test
    void smallFilesThatUnpackToMuchMoreThanTheMemoryEndInSentences() throws Exception {
        byte[] nothing = {};
        byte[] letters = gzip(letters());
        byte[] zeros = gzip(new byte[PIECE]);
        write("text.txt.gz", nothing, letters, nothing);
        write("json.jsonl.gz", gzip("{\"a\": \"x\"}\n{\"a\": \""), letters, nothing);
        write("array.json.gz", gzip("[{\"a\": [1]}, {\"a\": ["), gzip("1,".repeat(PIECE / 2)), nothing);
        write("csv.csv.gz", gzip("a,b\n1,2\n3,"), letters, nothing);
        write("quoted.csv.gz", gzip("a,b\n1,2\n3,\""), gzip("a\n".repeat(PIECE / 2)), nothing);
        write("binary.bin.gz", nothing, zeros, nothing);
        write("webdataset.tar.gz", gzip(tarHeader()), zeros, gzip(new byte[1024]));
        write("tfrecord.tfrecords.gz", gzip(recordHeader()), zeros, nothing);
        writeAvro("avro.avro");
        Process job =
                ChildJvm.start(List.of("-XX:+UseParallelGC", "-Xmx64m"), HostileInputJob.class, folder.toString());
        Map<String, String> ends = new HashMap<>();
        for (String line : ChildJvm.linesOf(job)) {
            String[] words = line.split(": ", 2);
            ends.put(words[0], words[1]);
        }
        assertThat(ends.get("text")).contains("a line has more than 8388608 bytes");
        assertThat(ends.get("json")).contains("a record has more than 8388608 bytes");
        assertThat(ends.get("array")).contains("a record has more than 8388608 bytes");
        assertThat(ends.get("csv")).contains("has more than 2097152 bytes");
        assertThat(ends.get("quoted")).contains("has more than 2097152 bytes");
        for (String format : List.of("binary", "webdataset", "tfrecord", "avro")) {
            assertThat(ends.get(format))
                    .contains(folder.toString())
                    .contains(" has a value that is too large for the memory of this session: ");
        }
    }
}
