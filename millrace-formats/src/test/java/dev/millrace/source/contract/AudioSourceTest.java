package dev.millrace.source.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.files.FileSource;
import dev.millrace.internal.audio.AudioFormat;
import dev.millrace.source.FileReads;
import dev.millrace.source.Source;
import dev.millrace.testing.Seeds;
import dev.millrace.testing.SourceContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// WAV files that are made here byte by byte, in all encodings.
class AudioSourceTest extends SourceContract {
    private static final int FRAMES = 50;

    private final Random random = new Random(Seeds.seed());
    private final List<Map<String, Object>> rows = new ArrayList<>();

    @TempDir
    Path folder;

    @BeforeEach
    void fill() throws IOException {
        int number = 0;
        for (int code : new int[] {1, 3}) {
            for (int bits : code == 1 ? new int[] {8, 16, 24, 32} : new int[] {32, 64}) {
                for (int channels : new int[] {1, 2, 5}) {
                    write("sound-" + (char) ('a' + number++) + ".wav", code, bits, channels, number % 2 == 0);
                }
            }
        }
    }

    /// @param wide whether the format is given as an extensible one, after a chunk that nobody knows
    private void write(String name, int code, int bits, int channels, boolean wide) throws IOException {
        int size = FRAMES * channels * bits / 8;
        ByteBuffer out = ByteBuffer.allocate(200 + size).order(ByteOrder.LITTLE_ENDIAN);
        out.put(ascii("RIFF")).putInt(0).put(ascii("WAVE"));
        if (wide) {
            out.put(ascii("LIST")).putInt(3).put(new byte[4]);
        }
        out.put(ascii("fmt ")).putInt(wide ? 40 : 16).putShort((short) (wide ? 0xFFFE : code));
        out.putShort((short) channels).putInt(8000).putInt(8000 * channels * bits / 8);
        out.putShort((short) (channels * bits / 8)).putShort((short) bits);
        if (wide) {
            out.putShort((short) 22)
                    .putShort((short) bits)
                    .putInt(0)
                    .putShort((short) code)
                    .put(new byte[14]);
        }
        out.put(ascii("data")).putInt(size);
        float[][] expected = new float[channels][FRAMES];
        for (int frame = 0; frame < FRAMES; frame++) {
            for (int channel = 0; channel < channels; channel++) {
                expected[channel][frame] = sample(out, code, bits);
            }
        }
        Files.write(folder.resolve(name), Arrays.copyOf(out.array(), out.position()));
        float[] flat = new float[channels * FRAMES];
        for (int channel = 0; channel < channels; channel++) {
            System.arraycopy(expected[channel], 0, flat, channel * FRAMES, FRAMES);
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("amplitude", Tensor.of(flat, channels, FRAMES));
        row.put("sample_rate", 8000);
        rows.add(row);
    }

    private float sample(ByteBuffer out, int code, int bits) {
        if (code == 3) {
            double value = random.nextDouble(-1, 1);
            if (bits == 32) {
                out.putFloat((float) value);
            } else {
                out.putDouble(value);
            }
            return (float) value;
        }
        long limit = 1L << (bits - 1);
        long value = random.nextInt(9) == 0 ? -limit : random.nextLong(-limit, limit);
        long stored = bits == 8 ? value + 128 : value;
        for (int i = 0; i < bits / 8; i++) {
            out.put((byte) (stored >> 8 * i));
        }
        return (float) (value / (double) limit);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    protected Source source() {
        return FileSource.of(List.of(folder.toString()), new AudioFormat(), FileReads.defaults());
    }

    @Override
    protected List<Map<String, Object>> rows() {
        return rows;
    }

    @Test
    void aSizeThatWasLeftOpenEndsWithTheFile() throws IOException {
        Path file = folder.resolve("sound-d.wav");
        byte[] bytes = Files.readAllBytes(file);
        int data = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("data");
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(data + 4, -1);
        Files.write(file, bytes);
        try (Session session = Session.open()) {
            Row row = session.readAudio(file.toString()).takeAll().getFirst();
            assertThat(row.getTensor("amplitude")).isEqualTo(rows.get(3).get("amplitude"));
            assertThat(row.getInt("sample_rate")).isEqualTo(8000);
        }
    }

    @Test
    void brokenFilesAreNamedWithWhatIsWrong() throws IOException {
        byte[] good = Files.readAllBytes(folder.resolve("sound-d.wav"));
        int data = new String(good, StandardCharsets.ISO_8859_1).indexOf("data");
        int format = new String(good, StandardCharsets.ISO_8859_1).indexOf("fmt ");
        check(new byte[3], "it does not begin as a WAV file does, with RIFF and WAVE.");
        check(Arrays.copyOf(good, good.length - 7), "bytes of samples.");
        check(Arrays.copyOf(good, data), "there are no samples in it.");
        check(Arrays.copyOf(good, format + 12), "its format chunk is cut off.");
        byte[] coded = good.clone();
        coded[format + 22] = 12;
        check(coded, "samples of 12 bits in encoding");
        byte[] silent = good.clone();
        silent[format + 10] = 0;
        check(silent, "its format contradicts itself: 0 channels");
    }

    private void check(byte[] bytes, String why) throws IOException {
        Path file = folder.resolve("broken.wav");
        Files.write(file, bytes);
        try (Session session = Session.open()) {
            assertThatThrownBy(() -> session.readAudio(file.toString()).takeAll())
                    .hasMessageContaining("broken.wav' cannot be read: ")
                    .hasMessageContaining(why);
            assertThat(session.readAudio(folder.toString())
                            .onReadError(ErrorPolicy.skip())
                            .takeAll())
                    .hasSize(rows.size());
        }
    }
}
