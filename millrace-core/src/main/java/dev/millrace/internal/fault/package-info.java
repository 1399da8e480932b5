/// Which kind of fault something is, decided in one place. Knows exceptions only: transforms and the engine both ask
/// here.
package dev.millrace.internal.fault;
