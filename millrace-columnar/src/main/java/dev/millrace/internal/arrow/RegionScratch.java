package dev.millrace.internal.arrow;

/// The memory that a [CheckedFile] works in; for one at a time, and then for the next.
public final class RegionScratch {
    private final BufferCodecs codecs = new BufferCodecs();
    private final byte[] region = new byte[PieceScratch.STAGE_BYTES];

    BufferCodecs codecs() {
        return codecs;
    }

    /// Where a region of the file is checked.
    byte[] region() {
        return region;
    }
}
