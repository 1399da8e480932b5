package dev.millrace.internal.images.resample;

/// How the numbers of [PixelPlanes] lie in memory.
public enum PlaneForm {
    /// Normalised, plane by plane (CHW).
    FLOAT32(Float.BYTES),
    FLOAT16(Short.BYTES),
    /// The pixels as they are, plane by plane.
    UINT8(Byte.BYTES),
    /// The pixels as they are, channel by channel (HWC).
    UINT8_INTERLEAVED(Byte.BYTES);

    private final int bytes;

    PlaneForm(int bytes) {
        this.bytes = bytes;
    }

    /// Of a number.
    public int bytes() {
        return bytes;
    }

    public boolean isUnsigned() {
        return this == UINT8 || this == UINT8_INTERLEAVED;
    }
}
