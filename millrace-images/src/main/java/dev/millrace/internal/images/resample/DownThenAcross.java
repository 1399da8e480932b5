package dev.millrace.internal.images.resample;

/// The vertical pass, then the horizontal one, for images whose height shrinks so much that this order is less work. It
/// processes strips of new rows.
final class DownThenAcross {
    private static final int STRIP = 64;

    private final LineWindow loaded = new LineWindow();
    private final LineFilter vertical = new LineFilter(loaded);
    private final LineWindow rows = new LineWindow();
    private final LineWindow columns = new LineWindow();
    private final LineFilter horizontal = new LineFilter(columns);
    private final LineWindow turned = new LineWindow();

    void run(PixelImage image, FilterTaps across, FilterTaps down, boolean premultiply, PixelRowSink sink) {
        int width = across.end() - across.begin();
        int strip = Math.min(STRIP, down.length());
        loaded.prepare(down.most(), width);
        rows.prepare(strip, Math.max(width, across.length()));
        columns.prepare(width, strip);
        turned.prepare(across.length(), strip);
        int next = down.begin();
        for (int top = 0; top < down.length(); top += strip) {
            int count = Math.min(strip, down.length() - top);
            for (int y = 0; y < count; y++) {
                for (; next < down.end(top + y); next++) {
                    PixelLoader.row(image, across.begin(), across.end(), next, premultiply, loaded.line(next));
                }
                vertical.apply(down, top + y, image.channels(), rows.line(y), width);
            }
            rows.turn(0, count, 0, width, columns, across.begin());
            for (int x = 0; x < across.length(); x++) {
                horizontal.apply(across, x, image.channels(), turned.line(x), count);
            }
            turned.turn(0, across.length(), 0, count, rows, 0);
            for (int y = 0; y < count; y++) {
                sink.row(top + y, rows.line(y), across.length());
            }
        }
    }

    /// The capacity of the working memory in pixels.
    long size() {
        return loaded.size() + rows.size() + columns.size() + turned.size();
    }
}
