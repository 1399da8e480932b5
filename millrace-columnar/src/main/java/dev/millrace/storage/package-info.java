/// Where files lie: a [dev.millrace.storage.Storage] finds and opens the files of one scheme of paths (this machine's
/// disks, `s3://`, `https://`). Found by `ServiceLoader`;
@NullMarked
package dev.millrace.storage;

import org.jspecify.annotations.NullMarked;
