package dev.millrace.internal.images.resample;

/// Takes the rows of a new image, from the top: packed pixels, an int each. The array is used again.
interface PixelRowSink {
    void row(int y, int[] packed, int length);
}
