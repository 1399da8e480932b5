package dev.millrace.internal.arrow;

/// The working memory of [CheckedFile]s, used by one at a time and then reused by the next.
public final class RegionScratch {
    private final BufferCodecs codecs = new BufferCodecs();
    private final byte[] region = new byte[PieceScratch.STAGE_BYTES];

    BufferCodecs codecs() {
        return codecs;
    }

    /// Memory in which a region of the file is verified.
    byte[] region() {
        return region;
    }
}
