package dev.millrace.internal.images.codec;

/// Reverses PNG's filters in place: the stored bytes are differences to the previous pixel, the row above, or both.
final class PngFilters {
    private PngFilters() {}

    /// @param row begins at `from`, after the filter byte
    /// @param above the previous row, from index 0; zeros for the first row
    /// @param pixel the number of bytes per pixel, at least 1
    static void undo(int filter, byte[] row, int from, byte[] above, int length, int pixel) throws BadImage {
        switch (filter) {
            case 0 -> {
                // No filter.
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
        switch (pixel) {
            case 3 -> paeth3(row, from, above, length);
            case 4 -> paeth4(row, from, above, length);
            default -> {
                for (int i = pixel; i < length; i++) {
                    row[from + i] +=
                            (byte) nearest(row[from + i - pixel] & 0xFF, above[i] & 0xFF, above[i - pixel] & 0xFF);
                }
            }
        }
    }

    /// The Paeth filter for three bytes per pixel with the left pixel kept in registers: loading a value that was just
    /// stored is slow.
    private static void paeth3(byte[] row, int from, byte[] above, int length) {
        int left0 = row[from] & 0xFF;
        int left1 = row[from + 1] & 0xFF;
        int left2 = row[from + 2] & 0xFF;
        int corner0 = above[0] & 0xFF;
        int corner1 = above[1] & 0xFF;
        int corner2 = above[2] & 0xFF;
        for (int i = 3; i < length; i += 3) {
            int up0 = above[i] & 0xFF;
            int up1 = above[i + 1] & 0xFF;
            int up2 = above[i + 2] & 0xFF;
            left0 = row[from + i] + nearest(left0, up0, corner0) & 0xFF;
            left1 = row[from + i + 1] + nearest(left1, up1, corner1) & 0xFF;
            left2 = row[from + i + 2] + nearest(left2, up2, corner2) & 0xFF;
            row[from + i] = (byte) left0;
            row[from + i + 1] = (byte) left1;
            row[from + i + 2] = (byte) left2;
            corner0 = up0;
            corner1 = up1;
            corner2 = up2;
        }
    }

    private static void paeth4(byte[] row, int from, byte[] above, int length) {
        int left0 = row[from] & 0xFF;
        int left1 = row[from + 1] & 0xFF;
        int left2 = row[from + 2] & 0xFF;
        int left3 = row[from + 3] & 0xFF;
        int corner0 = above[0] & 0xFF;
        int corner1 = above[1] & 0xFF;
        int corner2 = above[2] & 0xFF;
        int corner3 = above[3] & 0xFF;
        for (int i = 4; i < length; i += 4) {
            int up0 = above[i] & 0xFF;
            int up1 = above[i + 1] & 0xFF;
            int up2 = above[i + 2] & 0xFF;
            int up3 = above[i + 3] & 0xFF;
            left0 = row[from + i] + nearest(left0, up0, corner0) & 0xFF;
            left1 = row[from + i + 1] + nearest(left1, up1, corner1) & 0xFF;
            left2 = row[from + i + 2] + nearest(left2, up2, corner2) & 0xFF;
            left3 = row[from + i + 3] + nearest(left3, up3, corner3) & 0xFF;
            row[from + i] = (byte) left0;
            row[from + i + 1] = (byte) left1;
            row[from + i + 2] = (byte) left2;
            row[from + i + 3] = (byte) left3;
            corner0 = up0;
            corner1 = up1;
            corner2 = up2;
            corner3 = up3;
        }
    }

    /// The Paeth predictor: the neighbour nearest to left + up - corner.
    private static int nearest(int left, int up, int corner) {
        int toLeft = Math.abs(up - corner);
        int toUp = Math.abs(left - corner);
        int toCorner = Math.abs(left + up - 2 * corner);
        // Branch-free, because the branches are unpredictable: a mask is all ones where the comparison holds.
        int upOrCorner = corner ^ (corner ^ up) & ~(toCorner - toUp >> 31);
        int isLeft = ~((toUp - toLeft | toCorner - toLeft) >> 31);
        return upOrCorner ^ (upOrCorner ^ left) & isLeft;
    }
}
