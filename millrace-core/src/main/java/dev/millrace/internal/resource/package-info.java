/// Resource sharing: capacity shared by runs, block memory divided among operators, sizes of actor pools. Pure
/// functions, except [dev.millrace.internal.resource.FairCapacity], which is thread-safe.
package dev.millrace.internal.resource;
