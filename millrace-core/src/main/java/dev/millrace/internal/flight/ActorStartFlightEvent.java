package dev.millrace.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// The start of an actor on its thread.
@Name("dev.millrace.ActorStart")
@Label("Start of an actor")
@Description("The factory of an actor ran")
@Category("Millrace")
@StackTrace(false)
public final class ActorStartFlightEvent extends Event {
    @Label("Operator")
    public @Nullable String operator;

    @Label("Actor")
    public long actor;

    @Label("Failed")
    public boolean failed;
}
