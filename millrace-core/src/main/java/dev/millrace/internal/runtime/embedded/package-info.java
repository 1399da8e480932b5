/// The runtime that uses threads of this process: tasks are submitted as objects, blocks stay where they were created,
/// nothing is copied or serialised. Depends on the seam only, not on plans, operators or transforms.
@NullMarked
package dev.millrace.internal.runtime.embedded;

import org.jspecify.annotations.NullMarked;
