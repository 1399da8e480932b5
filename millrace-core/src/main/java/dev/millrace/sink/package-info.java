/// Where data goes: a [dev.millrace.sink.Sink] describes the target, a [dev.millrace.sink.SinkWriter] takes the chunks
/// of one task, its [dev.millrace.sink.Fragment] is sent to the driver, which commits all of them at once. A new file
/// format is a [dev.millrace.sink.FileFormat] under [dev.millrace.files.FileSink]; nothing else is needed.
@NullMarked
package dev.millrace.sink;

import org.jspecify.annotations.NullMarked;
