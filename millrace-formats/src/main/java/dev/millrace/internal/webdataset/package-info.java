/// WebDataset's tar archives: [dev.millrace.internal.webdataset.TarReader] walks members,
/// [dev.millrace.internal.webdataset.SampleReader] makes rows of those that share a key.
package dev.millrace.internal.webdataset;
