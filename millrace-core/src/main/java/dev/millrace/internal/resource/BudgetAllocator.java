package dev.millrace.internal.resource;

/// Divides a limit of block memory among operators. A share of it is reserved evenly; half of an operator's
/// reservation is for its finished output alone, so that what is made can always be put somewhere; the rest of the
/// limit is lent to whoever needs it for its next task, from the last operator upwards, because what is nearest to the
/// output frees memory soonest. Pure; works on arrays so that it may be asked before every task.
public final class BudgetAllocator {
    private BudgetAllocator() {}

    /// Fills `budget` with the bytes that each operator may add in tasks.
    ///
    /// What is used and what is budgeted never exceed the limit in sum, unless what is used alone does.
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
            // A part of what it lacks would start nothing and is missed elsewhere.
            if (lacking > 0 && lacking <= shared) {
                budget[i] += lacking;
                shared -= lacking;
            }
        }
    }
}
