package dev.millrace.internal.exchange;

import java.io.Serializable;

/// Keys from `from`, inclusively, to `to`, exclusively; null: without a bound.
record KeyRange(byte[] from, byte[] to) implements Serializable {}
