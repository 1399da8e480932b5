package dev.millrace.internal.images.codec;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.opencv_core.Mat;

/// A matrix header of OpenCV that is reused by pointing it at other memory, because creating one costs as much as
/// decoding a small image. The fields are written at OpenCV 4's offsets, which [#isAsExpected] verifies once. One
/// thread.
final class MatHeader {
    /// OpenCV's 8-bit types. OpenCV's own constants are not compile-time constants: reading one loads the libraries.
    static final int ONE_CHANNEL = 0;
    static final int THREE_CHANNELS = 2 << 3;
    static final int FOUR_CHANNELS = 3 << 3;

    private static final long BYTES = 96;
    private static final long FLAGS = 0;
    private static final long DIMENSIONS = 4;
    private static final long ROWS = 8;
    private static final long COLUMNS = 12;
    private static final long DATA = 16;
    private static final long DATA_START = 24;
    private static final long DATA_END = 32;
    private static final long DATA_LIMIT = 40;
    private static final long OWNED = 56;
    private static final long STEP = 80;
    private static final long ELEMENT = 88;

    private static final int MAGIC = 0x42FF0000;
    private static final int CONTINUOUS = 1 << 14;
    private static final int TYPE_MASK = 0xFFF;

    private final Mat mat = new Mat();
    private final MemorySegment fields = MemorySegment.ofAddress(mat.address()).reinterpret(BYTES);

    Mat mat() {
        return mat;
    }

    /// Points the header at the caller's memory, with dense rows.
    ///
    /// @param type OpenCV's 8-bit type with the number of channels
    void pointAt(MemorySegment pixels, int rows, int columns, int type) {
        release();
        long element = opencv_core.CV_MAT_CN(type);
        long address = pixels.address();
        long end = address + (long) rows * columns * element;
        fields.set(JAVA_INT, FLAGS, MAGIC | CONTINUOUS | type);
        fields.set(JAVA_INT, DIMENSIONS, 2);
        fields.set(JAVA_INT, ROWS, rows);
        fields.set(JAVA_INT, COLUMNS, columns);
        fields.set(JAVA_LONG, DATA, address);
        fields.set(JAVA_LONG, DATA_START, address);
        fields.set(JAVA_LONG, DATA_END, end);
        fields.set(JAVA_LONG, DATA_LIMIT, end);
        fields.set(JAVA_LONG, STEP, columns * element);
        fields.set(JAVA_LONG, ELEMENT, element);
    }

    /// Detaches it from its memory. Memory that OpenCV allocated instead is freed.
    void release() {
        if (fields.get(JAVA_LONG, OWNED) != 0) {
            mat.release();
        }
        fields.set(JAVA_LONG, DATA, 0);
    }

    boolean isOver(MemorySegment pixels) {
        return fields.get(JAVA_LONG, DATA) == pixels.address();
    }

    int rows() {
        return fields.get(JAVA_INT, ROWS);
    }

    int columns() {
        return fields.get(JAVA_INT, COLUMNS);
    }

    int type() {
        return fields.get(JAVA_INT, FLAGS) & TYPE_MASK;
    }

    /// The memory it points at; if OpenCV allocated it, valid until [#release].
    MemorySegment pixels() {
        long bytes = rows() * fields.get(JAVA_LONG, STEP);
        return MemorySegment.ofAddress(fields.get(JAVA_LONG, DATA)).reinterpret(bytes);
    }

    /// Whether the layout of OpenCV's matrices is the one assumed here.
    static boolean isAsExpected() {
        try (Pointer pixels = new org.bytedeco.javacpp.BytePointer(5 * 7 * 3);
                Mat mat = new Mat(5, 7, opencv_core.CV_8UC3, pixels)) {
            MemorySegment fields = MemorySegment.ofAddress(mat.address()).reinterpret(BYTES);
            return Loader.sizeof(Mat.class) == BYTES
                    && opencv_core.CV_8UC1 == ONE_CHANNEL
                    && opencv_core.CV_8UC3 == THREE_CHANNELS
                    && opencv_core.CV_8UC4 == FOUR_CHANNELS
                    && fields.get(JAVA_INT, FLAGS) == (MAGIC | CONTINUOUS | opencv_core.CV_8UC3)
                    && fields.get(JAVA_INT, DIMENSIONS) == 2
                    && fields.get(JAVA_INT, ROWS) == 5
                    && fields.get(JAVA_INT, COLUMNS) == 7
                    && fields.get(JAVA_LONG, DATA) == pixels.address()
                    && fields.get(JAVA_LONG, DATA_START) == pixels.address()
                    && fields.get(JAVA_LONG, DATA_END) == pixels.address() + 105
                    && fields.get(JAVA_LONG, DATA_LIMIT) == pixels.address() + 105
                    && fields.get(JAVA_LONG, OWNED) == 0
                    && fields.get(JAVA_LONG, STEP) == 21
                    && fields.get(JAVA_LONG, ELEMENT) == 3;
        }
    }
}
