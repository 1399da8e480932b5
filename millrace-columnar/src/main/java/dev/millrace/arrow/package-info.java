/// Arrow's IPC formats: blocks are written and read as streams, files and bytes that every Arrow library understands.
/// [dev.millrace.arrow.IpcWriter] writes; [dev.millrace.arrow.IpcReader] reads a stream block by block,
/// [dev.millrace.arrow.IpcFile] a file by record batch. Does not depend on datasets, plans or paths with wildcards.
@NullMarked
package dev.millrace.arrow;

import org.jspecify.annotations.NullMarked;
