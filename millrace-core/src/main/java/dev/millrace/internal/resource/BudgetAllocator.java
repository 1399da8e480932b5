package dev.millrace.internal.resource;

/// Divides a limit of block memory among operators. A share of it is reserved evenly. Half of an operator's reservation
/// is for its finished output only, so that a task can always emit its output. The rest of the limit is lent to
/// operators that need it for their next task, from the last operator upwards, because operators nearest to the output
/// free memory soonest. A pure function over arrays, so that it can be called before every task.
public final class BudgetAllocator {
    private BudgetAllocator() {}

    /// Fills `budget` with the bytes that each operator may add in tasks.
    ///
    /// The sum of used and budgeted bytes never exceeds the limit, unless the used bytes alone do.
    ///
    /// @param taskBytes inputs and expected output of running tasks
    /// @param outputBytes finished output that was not taken
    /// @param wanted what the operator's next task would add; 0 if it has none to start
    public static void allocate(
            long limit,
            double reservedShare,
            int operators,
            long[] taskBytes,
            long[] outputBytes,
            long[] wanted,
            long[] budget) {
        if (operators == 0) {
            return;
        }
        long reserved = (long) (limit * reservedShare) / operators;
        long forOutput = reserved / 2;
        long forTasks = reserved - forOutput;
        long shared = limit - reserved * operators;
        for (int i = 0; i < operators; i++) {
            long used = taskBytes[i] + Math.max(0, outputBytes[i] - forOutput);
            budget[i] = Math.max(0, forTasks - used);
            shared -= Math.max(0, used - forTasks);
        }
        for (int i = operators - 1; i >= 0 && shared > 0; i--) {
            long lacking = wanted[i] - budget[i];
            // A part of what it lacks would start no task, and would be missing elsewhere.
            if (lacking > 0 && lacking <= shared) {
                budget[i] += lacking;
                shared -= lacking;
            }
        }
    }
}
