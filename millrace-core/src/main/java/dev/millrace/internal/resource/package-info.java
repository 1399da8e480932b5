/// Who may use how much: capacity shared by runs, block memory divided among operators, sizes of actor pools. Pure
/// cores, but for [dev.millrace.internal.resource.FairCapacity], which is thread-safe.
package dev.millrace.internal.resource;
