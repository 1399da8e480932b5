package dev.millrace.runtime;

import java.io.Serializable;

/// What the programs of many tasks share, by identity: the steps of an operator, the reducer of an exchange. A runtime
/// that ships programs sends it to each worker once, and the tasks there share it, as they do in one process; so it
/// must not change, and its functions may be called by several threads.
public interface ShippedOnce extends Serializable {}
