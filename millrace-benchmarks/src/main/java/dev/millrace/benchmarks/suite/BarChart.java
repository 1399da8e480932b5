package dev.millrace.benchmarks.suite;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Bars as an SVG image: a group for each name, a bar for each series, on a logarithmic axis.
final class BarChart {
    private static final List<String> COLORS =
            List.of("#1f6feb", "#79b8ff", "#e8a33d", "#7a8b3c", "#b5524a", "#777777");
    private static final int LEFT = 150;
    private static final int WIDTH = 560;
    private static final int BAR = 9;
    private static final int GAP = 10;
    private static final int TOP = 50;

    private BarChart() {}

    /// @param names the groups, from above
    /// @param values by series and name; a name may lack, and what is not above 0 is left out
    static String svg(String title, String unit, List<String> names, Map<String, Map<String, Double>> values) {
        double most = all(values).max().orElse(1);
        double least = all(values).min().orElse(most / 10);
        int first = (int) Math.floor(Math.log10(least));
        int last = Math.max(first + 1, (int) Math.ceil(Math.log10(most)));
        int group = values.size() * BAR + GAP;
        int bottom = TOP + names.size() * group;
        StringBuilder svg = new StringBuilder(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"11\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                LEFT + WIDTH + 40, bottom + 30));
        svg.append(format("<text x=\"10\" y=\"18\" font-size=\"14\">%s</text>%n", escaped(title)));
        for (int power = first; power <= last; power++) {
            double x = LEFT + WIDTH * (power - first) / (double) (last - first);
            svg.append(format(
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>"
                            + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s %s</text>%n",
                    x, TOP - 5, x, bottom, x, bottom + 15, power(power), escaped(unit)));
        }
        int series = 0;
        int legend = LEFT;
        for (Map.Entry<String, Map<String, Double>> each : values.entrySet()) {
            String color = COLORS.get(series % COLORS.size());
            svg.append(format(
                    "<rect x=\"%d\" y=\"27\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%d\" y=\"36\">%s</text>%n",
                    legend, color, legend + 14, escaped(each.getKey())));
            legend += 30 + 7 * each.getKey().length();
            for (int i = 0; i < names.size(); i++) {
                double value = each.getValue().getOrDefault(names.get(i), 0.0);
                if (value > 0) {
                    double length = WIDTH * (Math.log10(value) - first) / (last - first);
                    svg.append(format(
                            "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                            LEFT, TOP + i * group + series * BAR, Math.max(1, length), BAR - 1, color));
                }
            }
            series++;
        }
        for (int i = 0; i < names.size(); i++) {
            svg.append(format(
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                    LEFT - 6, TOP + i * group + (group - GAP) / 2 + 4, escaped(names.get(i))));
        }
        return svg.append("</svg>\n").toString();
    }

    private static java.util.stream.DoubleStream all(Map<String, Map<String, Double>> values) {
        return values.values().stream()
                .flatMap(each -> each.values().stream())
                .mapToDouble(Double::doubleValue)
                .filter(value -> value > 0);
    }

    private static String power(int exponent) {
        return exponent >= 0 ? format("%,d", Math.round(Math.pow(10, exponent))) : format("%s", Math.pow(10, exponent));
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern.replace("%n", "\n"), values);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
