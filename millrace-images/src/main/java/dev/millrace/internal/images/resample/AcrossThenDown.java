package dev.millrace.internal.images.resample;

/// The horizontal pass, then the vertical one, strip by strip from the top: a strip of old rows is filtered
/// horizontally, column chunk by column chunk, then the new rows that are complete are computed. Working memory stays
/// near one megabyte for images of any size.
final class AcrossThenDown {
    /// The number of columns that are loaded at once, and of new columns that are buffered before they are transposed
    /// back into rows.
    private static final int CHUNK = 32;

    /// The number of filtered pixels per strip, which determines its height.
    private static final int STRIP_PIXELS = 128 << 10;

    private static final int SHORTEST_STRIP = 64;
    private static final int TALLEST_STRIP = 512;

    private final LineWindow columns = new LineWindow();
    private final LineFilter horizontal = new LineFilter(columns);
    private final LineWindow turned = new LineWindow();
    private final LineWindow rows = new LineWindow();
    private final LineFilter vertical = new LineFilter(rows);
    private int[] row = {};

    void run(PixelImage image, FilterTaps across, FilterTaps down, boolean premultiply, PixelRowSink sink) {
        int width = across.length();
        int strip = Math.clamp(STRIP_PIXELS / width, SHORTEST_STRIP, TALLEST_STRIP);
        strip = Math.min(strip, down.end() - down.begin());
        columns.prepare(across.most() + CHUNK, strip);
        turned.prepare(CHUNK, strip);
        rows.prepare(down.most() + strip, width);
        if (row.length < width) {
            row = new int[width];
        }
        int made = 0;
        for (int top = down.begin(); top < down.end(); top += strip) {
            int count = Math.min(strip, down.end() - top);
            filterAcross(image, across, top, count, premultiply);
            for (; made < down.length() && down.end(made) <= top + count; made++) {
                vertical.apply(down, made, image.channels(), row, width);
                sink.row(made, row, width);
            }
        }
    }

    private void filterAcross(PixelImage image, FilterTaps across, int top, int count, boolean premultiply) {
        int loaded = across.begin();
        int kept = 0;
        for (int x = 0; x < across.length(); x++) {
            while (loaded < across.end(x)) {
                int to = Math.min(loaded + CHUNK, across.end());
                PixelLoader.columns(image, loaded, to, top, count, premultiply, columns);
                loaded = to;
            }
            horizontal.apply(across, x, image.channels(), turned.line(x), count);
            if (x + 1 - kept == CHUNK || x + 1 == across.length()) {
                turned.turn(kept, x + 1, 0, count, rows, top);
                kept = x + 1;
            }
        }
    }

    /// The capacity of the working memory in pixels.
    long size() {
        return columns.size() + turned.size() + rows.size();
    }
}
