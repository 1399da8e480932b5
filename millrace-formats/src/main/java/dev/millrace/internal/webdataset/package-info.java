/// WebDataset's tar archives: [dev.millrace.internal.webdataset.TarReader] iterates over members,
/// [dev.millrace.internal.webdataset.SampleReader] combines those that share a key into rows.
@NullMarked
package dev.millrace.internal.webdataset;

import org.jspecify.annotations.NullMarked;
