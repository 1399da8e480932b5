package dev.millrace.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// What is logged under a name, and below it, while this is open.
public final class LoggedLines implements AutoCloseable {
    /// Held here: loggers that nobody holds are collected, with their handlers.
    private final Logger logger;

    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            messages.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    public LoggedLines(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(handler);
    }

    public List<String> messages() {
        return messages;
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
