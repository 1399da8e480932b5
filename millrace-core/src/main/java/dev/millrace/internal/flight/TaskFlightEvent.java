package dev.millrace.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// An attempt of a task on its thread.
@Name("dev.millrace.Task")
@Label("Task")
@Description("An attempt of a task, from the start of its program to its end")
@Category("Millrace")
@StackTrace(false)
public final class TaskFlightEvent extends Event {
    @Label("Operator")
    public @Nullable String operator;

    @Label("Task")
    public long task;

    @Label("Failed")
    public boolean failed;
}
