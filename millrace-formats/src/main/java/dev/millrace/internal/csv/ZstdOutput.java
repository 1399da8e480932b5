package dev.millrace.internal.csv;

import io.airlift.compress.v3.zstd.ZstdCompressor;
import java.io.IOException;
import java.io.OutputStream;

/// Zstandard as a sequence of frames, each of about one mebibyte, which readers treat as one stream.
final class ZstdOutput extends OutputStream {
    private static final int FRAME = 1 << 20;

    private final OutputStream out;
    private final ZstdCompressor compressor = ZstdCompressor.create();
    private final byte[] plain = new byte[FRAME];
    private final byte[] packed = new byte[compressor.maxCompressedLength(FRAME)];
    private int size;
    private boolean any;

    ZstdOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        int at = from;
        int end = from + count;
        while (at < end) {
            int taken = Math.min(end - at, FRAME - size);
            System.arraycopy(bytes, at, plain, size, taken);
            size += taken;
            at += taken;
            if (size == FRAME) {
                frame();
            }
        }
    }

    private void frame() throws IOException {
        out.write(packed, 0, compressor.compress(plain, 0, size, packed, 0, packed.length));
        size = 0;
        any = true;
    }

    @Override
    public void close() throws IOException {
        try (out) {
            if (size > 0 || !any) {
                frame();
            }
        }
    }
}
