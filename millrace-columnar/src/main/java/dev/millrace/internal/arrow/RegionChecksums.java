package dev.millrace.internal.arrow;

import dev.millrace.error.MillraceException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;

/// CRC32C checksums of the regions of a file, which are contiguous and cover the whole file. Immutable.
public final class RegionChecksums {
    /// A part of a file and its checksum.
    record Region(long from, long length, int crc) {}

    private final long[] starts;
    private final int[] crcs;
    private final long size;

    private RegionChecksums(long[] starts, int[] crcs, long size) {
        this.starts = starts;
        this.crcs = crcs;
        this.size = size;
    }

    static RegionChecksums of(List<Region> regions) {
        List<Region> sorted =
                regions.stream().sorted(Comparator.comparingLong(Region::from)).toList();
        long[] starts = new long[sorted.size()];
        int[] crcs = new int[sorted.size()];
        long end = 0;
        for (int i = 0; i < starts.length; i++) {
            Region region = sorted.get(i);
            if (region.from() != end) {
                throw MillraceException.internal("the checksums of a file leave a gap at byte " + end);
            }
            starts[i] = end;
            crcs[i] = region.crc();
            end += region.length();
        }
        return new RegionChecksums(starts, crcs, end);
    }

    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /// The number of bytes that are covered.
    public long size() {
        return size;
    }

    /// The index of the region that contains a byte of the file.
    int indexOf(long at) {
        int found = Arrays.binarySearch(starts, at);
        return found >= 0 ? found : -found - 2;
    }

    long start(int region) {
        return starts[region];
    }

    long end(int region) {
        return region + 1 < starts.length ? starts[region + 1] : size;
    }

    /// @throws MillraceException culprit DATA, if the bytes of a region are not those that were written
    void verify(int region, ByteBuffer bytes) {
        int crc = crc(bytes);
        if (crc != crcs[region]) {
            throw MillraceException.data("its bytes " + start(region) + " to " + end(region)
                    + " are not those that were written (checksum " + Integer.toHexString(crc) + ", was "
                    + Integer.toHexString(crcs[region]) + ")");
        }
    }
}
