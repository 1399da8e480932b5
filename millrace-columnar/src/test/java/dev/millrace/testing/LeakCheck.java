package dev.millrace.testing;

import dev.millrace.memory.Allocator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Gives each test an [Allocator] and fails the test when bytes are held at its end, naming the holder and where the
/// first buffers were allocated:
///
/// ```java
/// @RegisterExtension
/// final LeakCheck memory = new LeakCheck();
/// ```
///
/// A test that fails for another reason does not fail for its leaks too.
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
    private static final long LIMIT = 2L << 30;

    private final long limit;
    private Allocator allocator;

    public LeakCheck() {
        this(LIMIT);
    }

    public LeakCheck(long limit) {
        this.limit = limit;
    }

    public Allocator allocator() {
        return allocator;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        allocator = Allocator.root(context.getDisplayName(), limit);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try {
            allocator.close();
        } catch (IllegalStateException leak) {
            if (context.getExecutionException().isEmpty()) {
                throw new AssertionError(leak.getMessage(), leak);
            }
        }
    }
}
