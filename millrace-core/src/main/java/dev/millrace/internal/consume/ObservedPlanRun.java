package dev.millrace.internal.consume;

import dev.millrace.internal.engine.PlanRun;
import dev.millrace.internal.observe.ObservedRun;
import dev.millrace.internal.observe.RunDetails;
import dev.millrace.settings.Settings;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A run for its observer. The plan is let go as soon as it was explained: it keeps the blocks that it starts from.
final class ObservedPlanRun implements ObservedRun {
    private final String name;
    private final Settings settings;
    private final PlanRun run;
    private volatile @Nullable Supplier<String> explanation;

    ObservedPlanRun(String name, Settings settings, PlanRun run, Supplier<String> explanation) {
        this.name = name;
        this.settings = settings;
        this.run = run;
        this.explanation = explanation;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Settings settings() {
        return settings;
    }

    @Override
    public String explain() {
        Supplier<String> planned = explanation;
        return planned == null ? "" : planned.get();
    }

    @Override
    public RunDetails details() {
        return run.details();
    }

    @Override
    public void close() {
        explanation = null;
    }
}
