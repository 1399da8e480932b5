package dev.millrace.internal.images.resample;

/// Receives the rows of a new image from the top: packed pixels, one int each. The array is reused.
interface PixelRowSink {
    void row(int y, int[] packed, int length);
}
