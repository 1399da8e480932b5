package dev.millrace.internal.exchange;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// Keys from `from`, inclusively, to `to`, exclusively; null: without a bound.
record KeyRange(byte @Nullable [] from, byte @Nullable [] to) implements Serializable {}
