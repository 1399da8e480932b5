package example.shop;

import java.util.concurrent.locks.LockSupport;

/// A user's class that takes long to build and tells nobody.
public final class PriceList {
    private final long first;

    public PriceList(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
        this.first = millis;
    }

    public long price(long article) {
        return first + article;
    }
}
