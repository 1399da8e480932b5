package dev.millrace.internal.operator;

/// The bytes that one operator has in the store, counted as they change: finished output that was not taken, inputs of
/// running tasks, and the output that these are expected to produce.
final class StoreUse {
    private final OperatorHost host;
    private final OperatorMeter meter;
    private int outputBlocks;
    private long outputBytes;
    private long inputBytes;
    private long expectedBytes;
    private long likelyBytes;

    StoreUse(OperatorHost host, OperatorMeter meter) {
        this.host = host;
        this.meter = meter;
    }

    void inputTaken(long bytes) {
        inputBytes += bytes;
        host.countBytes(bytes);
    }

    void inputReleased(long bytes) {
        inputBytes -= bytes;
        host.countBytes(-bytes);
    }

    void made(long bytes) {
        outputBlocks++;
        outputBytes += bytes;
        host.countBytes(bytes);
        meter.memory(outputBytes);
    }

    void left(long bytes) {
        outputBlocks--;
        outputBytes -= bytes;
        host.countBytes(-bytes);
    }

    /// @param bytes to reserve for the task's output
    /// @param likely the probable output, if that is less
    void expect(TaskRun task, long bytes, long likely) {
        task.expects(bytes, likely);
        expectedBytes += task.expectedBytes();
        likelyBytes += task.likelyBytes();
    }

    /// This much of the task's expected output was produced, or will not be.
    void expectLess(TaskRun task, long bytes) {
        expectedBytes -= task.expectedBytes();
        likelyBytes -= task.likelyBytes();
        task.expectsLess(bytes);
        expectedBytes += task.expectedBytes();
        likelyBytes += task.likelyBytes();
    }

    int outputBlocks() {
        return outputBlocks;
    }

    long outputBytes() {
        return outputBytes;
    }

    /// What is in the store, and what will probably be added.
    long likelyBytes() {
        return outputBytes + inputBytes + likelyBytes;
    }

    long taskBytes() {
        return inputBytes + expectedBytes;
    }
}
