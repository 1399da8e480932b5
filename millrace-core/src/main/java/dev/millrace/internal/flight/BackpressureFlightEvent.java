package dev.millrace.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// The time in which a policy held an operator back.
@Name("dev.millrace.Backpressure")
@Label("Backpressure")
@Description("A policy held an operator back although it had work")
@Category("Millrace")
@StackTrace(false)
public final class BackpressureFlightEvent extends Event {
    @Label("Operator")
    public @Nullable String operator;

    @Label("Policy")
    public @Nullable String policy;
}
