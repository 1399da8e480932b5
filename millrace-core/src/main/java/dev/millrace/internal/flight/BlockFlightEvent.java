package dev.millrace.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// A block of a task.
@Name("dev.millrace.Block")
@Label("Block")
@Description("A task emitted a block")
@Category("Millrace")
@StackTrace(false)
public final class BlockFlightEvent extends Event {
    @Label("Operator")
    public @Nullable String operator;

    @Label("Task")
    public long task;

    @Label("Rows")
    public long rows;

    @Label("Bytes")
    @DataAmount
    public long bytes;
}
