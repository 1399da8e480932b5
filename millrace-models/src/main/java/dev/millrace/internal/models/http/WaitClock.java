package dev.millrace.internal.models.http;

/// A clock, and waiting by it.
interface WaitClock {
    WaitClock SYSTEM = new WaitClock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
            Thread.sleep(nanos / 1_000_000, (int) (nanos % 1_000_000));
        }
    };

    long nanos();

    void sleep(long nanos) throws InterruptedException;
}
