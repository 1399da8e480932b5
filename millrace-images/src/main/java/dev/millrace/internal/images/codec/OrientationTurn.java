package dev.millrace.internal.images.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Turns stored pixels upright according to the EXIF orientation: 2 is mirrored, 3 rotated by 180 degrees, 4 upside
/// down; from 5 on rows and columns are swapped.
final class OrientationTurn {
    private OrientationTurn() {}

    /// @param width the width of the stored image
    /// @param orientation 1 to 8
    /// @param upright as many bytes as `stored`; from orientation 5 on its rows have `height` pixels
    public static void upright(
            MemorySegment stored, int width, int height, int channels, int orientation, MemorySegment upright) {
        boolean lying = orientation >= 5;
        int rows = lying ? width : height;
        int columns = lying ? height : width;
        // The index of the first pixel, and the strides to the next pixel of a row and of a column.
        long first = switch (orientation) {
            case 2, 6 -> orientation == 2 ? width - 1 : (height - 1L) * width;
            case 3, 7 -> (long) height * width - 1;
            case 4 -> (height - 1L) * width;
            case 8 -> width - 1;
            default -> 0;
        };
        long across = switch (orientation) {
            case 2, 3 -> -1;
            case 5, 8 -> width;
            case 6, 7 -> -width;
            default -> 1;
        };
        long down = switch (orientation) {
            case 3, 4 -> -width;
            case 5, 6 -> 1;
            case 7, 8 -> -1;
            default -> width;
        };
        long to = 0;
        for (int row = 0; row < rows; row++) {
            long from = (first + row * down) * channels;
            for (int column = 0; column < columns; column++) {
                for (int channel = 0; channel < channels; channel++) {
                    upright.set(JAVA_BYTE, to++, stored.get(JAVA_BYTE, from + channel));
                }
                from += across * channels;
            }
        }
    }
}
