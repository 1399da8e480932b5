package dev.millrace.internal.images.codec;

/// PNG's filters, taken back in place: what was stored are differences to the pixel before, the row above, or both.
final class PngFilters {
    private PngFilters() {}

    /// @param row begins at `from`, behind the byte that names the filter
    /// @param above the row before, from 0 on; zeros for the first
    /// @param pixel bytes from a pixel to the next, at least 1
    static void undo(int filter, byte[] row, int from, byte[] above, int length, int pixel) throws BadImage {
        switch (filter) {
            case 0 -> {
                // As it is.
            }
            case 1 -> {
                for (int i = from + pixel; i < from + length; i++) {
                    row[i] += row[i - pixel];
                }
            }
            case 2 -> {
                for (int i = 0; i < length; i++) {
                    row[from + i] += above[i];
                }
            }
            case 3 -> average(row, from, above, length, pixel);
            case 4 -> paeth(row, from, above, length, pixel);
            default -> throw new BadImage("is a PNG image that is damaged: there is no filter " + filter);
        }
    }

    private static void average(byte[] row, int from, byte[] above, int length, int pixel) {
        int first = Math.min(pixel, length);
        for (int i = 0; i < first; i++) {
            row[from + i] += (byte) ((above[i] & 0xFF) >> 1);
        }
        for (int i = pixel; i < length; i++) {
            row[from + i] += (byte) ((row[from + i - pixel] & 0xFF) + (above[i] & 0xFF) >> 1);
        }
    }

    private static void paeth(byte[] row, int from, byte[] above, int length, int pixel) {
        int first = Math.min(pixel, length);
        for (int i = 0; i < first; i++) {
            row[from + i] += above[i];
        }
        for (int i = pixel; i < length; i++) {
            int left = row[from + i - pixel] & 0xFF;
            int up = above[i] & 0xFF;
            int corner = above[i - pixel] & 0xFF;
            int toLeft = Math.abs(up - corner);
            int toUp = Math.abs(left - corner);
            int toCorner = Math.abs(left + up - 2 * corner);
            int nearest = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
            row[from + i] += (byte) nearest;
        }
    }
}
