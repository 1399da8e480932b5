package dev.millrace.internal.audio;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.millrace.error.MillraceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// The samples of a WAV file in memory: PCM of 8, 16, 24 or 32 bits, or floats of 32 or 64.
///
/// @param file its bytes
/// @param from the first byte of the samples, which are interleaved by channels
/// @param frames the number of samples of each channel
/// @param bits of a sample
/// @param real whether samples are floats
record WavSamples(MemorySegment file, long from, int channels, int frames, int rate, int bits, boolean real) {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT = JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int PCM = 1;
    private static final int IEEE_FLOAT = 3;
    private static final int EXTENSIBLE = 0xFFFE;
    private static final int HEAD = 12;
    private static final int CHUNK_HEAD = 8;
    private static final int FORMAT_BYTES = 16;
    private static final int EXTENSIBLE_BYTES = 26;

    /// @throws MillraceException culprit DATA, naming the file and what is wrong with it
    static WavSamples of(String path, MemorySegment file) {
        if (file.byteSize() < HEAD
                || !tag(file, 0).equals("RIFF")
                || !tag(file, 8).equals("WAVE")) {
            throw wrong(path, "it does not begin as a WAV file does, with RIFF and WAVE");
        }
        long format = -1;
        long at = HEAD;
        while (at + CHUNK_HEAD <= file.byteSize()) {
            String name = tag(file, at);
            long size = Integer.toUnsignedLong(file.get(INT, at + 4));
            at += CHUNK_HEAD;
            if (name.equals("fmt ")) {
                if (size < FORMAT_BYTES || at + size > file.byteSize()) {
                    throw wrong(path, "its format chunk is cut off");
                }
                format = at;
            } else if (name.equals("data")) {
                if (format < 0) {
                    throw wrong(path, "its samples come before their format");
                }
                return samples(path, file, format, at, size);
            }
            // Chunks have an even number of bytes.
            at += size + (size & 1);
        }
        throw wrong(path, "there are no samples in it");
    }

    private static WavSamples samples(String path, MemorySegment file, long format, long at, long size) {
        int code = Short.toUnsignedInt(file.get(SHORT, format));
        int channels = Short.toUnsignedInt(file.get(SHORT, format + 2));
        int rate = file.get(INT, format + 4);
        int frame = Short.toUnsignedInt(file.get(SHORT, format + 12));
        int bits = Short.toUnsignedInt(file.get(SHORT, format + 14));
        if (code == EXTENSIBLE && file.byteSize() >= format + EXTENSIBLE_BYTES) {
            code = Short.toUnsignedInt(file.get(SHORT, format + 24));
        }
        boolean known = code == PCM && (bits == 8 || bits == 16 || bits == 24 || bits == 32)
                || code == IEEE_FLOAT && (bits == 32 || bits == 64);
        if (!known) {
            throw wrong(
                    path,
                    "samples of " + bits + " bits in encoding " + code
                            + " are not supported; PCM of 8, 16, 24 and 32 bits and floats are");
        }
        if (channels == 0 || rate <= 0 || frame != channels * (bits / 8)) {
            throw wrong(
                    path,
                    "its format contradicts itself: " + channels + " channels of " + bits + " bits in " + frame
                            + " bytes, " + rate + " samples a second");
        }
        // A recorder that could not seek back leaves the size open.
        boolean open = size == 0xFFFF_FFFFL;
        long left = file.byteSize() - at;
        if (!open && size > left) {
            throw wrong(path, "it ends after " + left + " of " + size + " bytes of samples");
        }
        long frames = (open ? left : size) / frame;
        if (frames * channels > Integer.MAX_VALUE) {
            throw wrong(path, "its " + frames + " samples in " + channels + " channels are too many for one value");
        }
        return new WavSamples(file, at, channels, (int) frames, rate, bits, code == IEEE_FLOAT);
    }

    /// Writes the amplitudes channel by channel, as float32.
    void write(MemorySegment target) {
        int width = bits / 8;
        long frame = (long) width * channels;
        for (int channel = 0; channel < channels; channel++) {
            long in = from + (long) channel * width;
            long out = (long) channel * frames * Float.BYTES;
            for (int i = 0; i < frames; i++, in += frame, out += Float.BYTES) {
                target.set(JAVA_FLOAT_UNALIGNED, out, amplitude(in));
            }
        }
    }

    private float amplitude(long at) {
        return switch (bits) {
            case 8 -> (Byte.toUnsignedInt(file.get(JAVA_BYTE, at)) - 128) / 128f;
            case 16 -> file.get(SHORT, at) / 32768f;
            case 24 -> (Short.toUnsignedInt(file.get(SHORT, at)) | file.get(JAVA_BYTE, at + 2) << 16) / 8388608f;
            case 32 -> real ? file.get(FLOAT, at) : (float) (file.get(INT, at) / 2147483648.0);
            default -> (float) file.get(DOUBLE, at);
        };
    }

    private static String tag(MemorySegment file, long at) {
        byte[] name = file.asSlice(at, 4).toArray(JAVA_BYTE);
        return new String(name, StandardCharsets.ISO_8859_1);
    }

    private static MillraceException wrong(String path, String why) {
        return MillraceException.data("readAudio: '" + path + "' cannot be read: " + why + ".");
    }
}
