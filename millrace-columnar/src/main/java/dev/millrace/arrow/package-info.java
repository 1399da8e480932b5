/// Arrow's IPC formats: blocks go out and come in as streams, files and bytes that every Arrow library understands.
/// [dev.millrace.arrow.IpcWriter] writes; [dev.millrace.arrow.IpcReader] reads a stream block by block,
/// [dev.millrace.arrow.IpcFile] a file by record batch. Datasets, plans and paths with wildcards do not come here.
@NullMarked
package dev.millrace.arrow;

import org.jspecify.annotations.NullMarked;
