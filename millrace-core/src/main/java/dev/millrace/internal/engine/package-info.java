/// Decides which operator runs next: one event-driven loop thread per run owns all operators and queues; everybody
/// else posts events. Knows physical plans and the runtime seam; knows no transforms and no user functions.
package dev.millrace.internal.engine;
