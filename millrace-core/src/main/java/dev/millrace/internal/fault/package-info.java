/// Classification of faults, in one place. Depends on exceptions only: transforms and the engine both use it.
package dev.millrace.internal.fault;
