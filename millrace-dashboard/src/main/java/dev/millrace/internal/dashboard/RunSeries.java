package dev.millrace.internal.dashboard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The timelines of a run: some hundred points, whatever its length. When there are too many every second one is
/// dropped, and from then on only every second sample is kept. Guarded by its run.
final class RunSeries {
    static final int MAX_POINTS = 512;

    private List<Point> points = new ArrayList<>();
    private int stride = 1;
    private long seen;

    /// One sample.
    ///
    /// @param seconds since the start of the run
    /// @param rowsIn,rowsOut per second
    /// @param memory bytes of the run
    /// @param held bytes of blocks in this process, of all runs
    /// @param cpus CPUs that the process used
    /// @param slots CPUs that tasks of all runs have taken
    /// @param spilled bytes per second that the session spilled
    /// @param rates rows per second of each operator
    /// @param actors of each operator
    record Point(
            double seconds,
            double rowsIn,
            double rowsOut,
            long memory,
            long held,
            double cpus,
            double slots,
            double gpus,
            double spilled,
            double[] rates,
            int[] actors) {
        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("t", round(seconds));
            json.put("rowsIn", Math.round(rowsIn));
            json.put("rowsOut", Math.round(rowsOut));
            json.put("memory", memory);
            json.put("held", held);
            json.put("cpus", round(cpus));
            json.put("slots", round(slots));
            json.put("gpus", round(gpus));
            json.put("spilled", Math.round(spilled));
            List<Object> each = new ArrayList<>();
            for (double rate : rates) {
                each.add(Math.round(rate));
            }
            json.put("rates", each);
            List<Object> pools = new ArrayList<>();
            for (int size : actors) {
                pools.add(size);
            }
            json.put("actors", pools);
            return json;
        }

        private static double round(double value) {
            return Double.isFinite(value) ? Math.round(value * 1000) / 1000.0 : 0;
        }
    }

    void add(Point point) {
        if (seen++ % stride != 0) {
            return;
        }
        points.add(point);
        if (points.size() == MAX_POINTS) {
            List<Point> half = new ArrayList<>();
            for (int i = 0; i < points.size(); i += 2) {
                half.add(points.get(i));
            }
            points = half;
            stride *= 2;
        }
    }

    int size() {
        return points.size();
    }

    List<Map<String, Object>> json() {
        return points.stream().map(Point::json).toList();
    }
}
