package dev.millrace.internal.images.resample;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Both passes and the normalisation, for images of three or four channels whose new pixels have few taps along each
/// axis ([NearTaps]). The vertical pass comes first, over rows in memory order, so that nothing is transposed and the
/// horizontal pass processes new rows only: this takes half the time of [AcrossThenDown]. It rounds at other places
/// than Pillow, so a pixel may differ from Pillow's by 1 or 2 of 255.
///
/// For the horizontal pass old pixels are gathered, tap by tap, to the positions of the new ones, so that every loop
/// runs along lines ([NearLoops]).
final class NearPlanes {
    private static final int CHANNELS = 3;
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort HALF = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final LineWindow loaded = new LineWindow();
    private int[] packed = {};
    private byte[] row = {};
    private int[] offsets = {};
    private final int[][] gathered = new int[NearTaps.MOST][0];
    private float[] values = {};
    private short[] halves = {};
    private byte[] bytes = {};
    private int[] colours = {};

    static boolean isFor(PixelImage image, PixelPlanes planes) {
        return image.channels() >= CHANNELS && planes.count() == CHANNELS;
    }

    void run(PixelImage image, NearTaps across, NearTaps down, PixelPlanes planes, MemorySegment target) {
        int rowBytes = (across.end() - across.begin()) * image.channels();
        prepare(across, image.channels(), rowBytes, planes);
        int width = across.length();
        int loadedRows = down.begin();
        for (int top = 0; top < down.length(); top += NearTaps.ROWS) {
            int count = Math.min(NearTaps.ROWS, down.length() - top);
            for (int y = 0; y < count; y++) {
                for (; loadedRows < down.first()[top + y] + down.count(); loadedRows++) {
                    MemorySegment.copy(
                            image.segment(),
                            image.at(across.begin(), loadedRows),
                            MemorySegment.ofArray(loaded.line(loadedRows)),
                            0,
                            rowBytes);
                }
                NearLoops.down(loaded, down, top + y, packed, (rowBytes + 3) / 4);
                MemorySegment.copy(MemorySegment.ofArray(packed), 0, MemorySegment.ofArray(row), 0, rowBytes);
                NearLoops.gather(row, offsets, width, image.channels(), across.count(), gathered, y * width);
            }
            filterAcross(across, planes, top, count, target, (long) width * down.length());
        }
    }

    private void prepare(NearTaps across, int step, int rowBytes, PixelPlanes planes) {
        int ints = (rowBytes + 3) / 4;
        loaded.prepare(NearTaps.MOST, ints);
        if (packed.length < ints) {
            packed = new int[ints];
            // The last pixel is read as part of eight bytes.
            row = new byte[ints * 4 + 8];
        }
        int width = across.length();
        if (offsets.length < width) {
            offsets = new int[width];
            for (int tap = 0; tap < NearTaps.MOST; tap++) {
                gathered[tap] = new int[width * NearTaps.ROWS];
            }
            values = new float[width * NearTaps.ROWS];
        }
        switch (planes.form()) {
            case FLOAT32 -> {}
            case FLOAT16 -> halves = halves.length < values.length ? new short[values.length] : halves;
            case UINT8 -> bytes = bytes.length < values.length ? new byte[values.length] : bytes;
            case UINT8_INTERLEAVED -> colours = colours.length < values.length ? new int[values.length] : colours;
        }
        for (int x = 0; x < width; x++) {
            offsets[x] = (across.first()[x] - across.begin()) * step;
        }
    }

    private void filterAcross(
            NearTaps across, PixelPlanes planes, int top, int count, MemorySegment target, long planeValues) {
        int length = count * across.length();
        for (int plane = 0; plane < CHANNELS; plane++) {
            NearLoops.across(
                    gathered, across.weights(), 8 * plane, planes.scale(plane), planes.bias(plane), values, length);
            long at = plane * planeValues + (long) top * across.length();
            switch (planes.form()) {
                case FLOAT32 -> MemorySegment.copy(values, 0, target, FLOAT, at * Float.BYTES, length);
                case FLOAT16 -> {
                    NearLoops.round(values, halves, length);
                    MemorySegment.copy(halves, 0, target, HALF, at * Short.BYTES, length);
                }
                case UINT8 -> {
                    NearLoops.truncate(values, bytes, length);
                    MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, at, length);
                }
                case UINT8_INTERLEAVED -> NearLoops.pack(values, 8 * plane, colours, length);
            }
        }
        if (planes.form() == PlaneForm.UINT8_INTERLEAVED) {
            ByteRows.colour(colours, target, 3L * top * across.length(), length);
        }
    }

    /// The capacity of the working memory in pixels.
    long size() {
        return loaded.size() + 2L * packed.length + (long) values.length * (NearTaps.MOST + 2);
    }
}
