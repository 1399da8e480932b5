/// What runtimes share: the facts of the machine below. The runtimes themselves live one package further down and are
/// known to nobody but the session that opens them.
package dev.millrace.internal.runtime;
