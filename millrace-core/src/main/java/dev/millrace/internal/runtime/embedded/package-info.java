/// The runtime that is threads of this process: tasks enter as objects, blocks stay where they were made, nothing is
/// copied or serialised. Knows the seam only; must not know plans, operators or transforms.
package dev.millrace.internal.runtime.embedded;
