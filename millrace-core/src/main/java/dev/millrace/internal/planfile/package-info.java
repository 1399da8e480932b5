/// Plans in files: a [dev.millrace.internal.planfile.PlanFile] is written by a dataset and read by a session. What
/// belongs to this process, and what may be secret, is refused with its name. Runs nothing.
@NullMarked
package dev.millrace.internal.planfile;

import org.jspecify.annotations.NullMarked;
