package dev.millrace.internal.kernel.aggregate;

/// Decides after the first rows whether grouping pays: not if it would leave more than half of all rows. From the share
/// of the first rows that are groups of their own follows how many groups there are, and from that how many all rows
/// have; the groups are taken to be equally frequent, so that others are found earlier. The same on every machine.
final class GroupingTrial {
    /// The number of rows after which it is decided.
    static final int ROWS = 1 << 16;

    private static final int STEPS = 50;

    private GroupingTrial() {}

    /// @param rows those that were grouped
    /// @param groups how many groups they have
    /// @param horizon all rows that are grouped in one table
    static boolean isVain(long rows, long groups, long horizon) {
        return expected(rows, groups, horizon) > horizon / 2.0;
    }

    /// The number of groups of `horizon` rows, if some of them have so many.
    static double expected(long rows, long groups, long horizon) {
        if (groups >= rows) {
            return horizon;
        }
        // rows = load * all and groups = all * (1 - e^-load), where all is the number of all groups.
        double share = (double) groups / rows;
        double low = 0;
        double high = 1 / share;
        for (int i = 0; i < STEPS; i++) {
            double load = (low + high) / 2;
            if (-StrictMath.expm1(-load) > share * load) {
                low = load;
            } else {
                high = load;
            }
        }
        double all = rows / high;
        return -StrictMath.expm1(-horizon / all) * all;
    }
}
