package dev.millrace.internal.python;

/// A call that a worker has not answered in full. Called by the thread that receives, in order: any number of results,
/// then one of the other two.
interface PendingCall {
    /// Some of its rows.
    void result(PythonResult result);

    void done();

    void failed(RuntimeException failure);

    /// Whether nobody waits for it any more.
    boolean isCancelled();
}
