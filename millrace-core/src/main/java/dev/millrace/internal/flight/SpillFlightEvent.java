package dev.millrace.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// A block that was spilled.
@Name("dev.millrace.Spill")
@Label("Spill")
@Description("A block was written to disk")
@Category("Millrace")
@StackTrace(false)
public final class SpillFlightEvent extends Event {
    @Label("Rows")
    public long rows;

    @Label("Bytes in memory")
    @DataAmount
    public long bytes;

    @Label("Bytes on disk")
    @DataAmount
    public long written;
}
