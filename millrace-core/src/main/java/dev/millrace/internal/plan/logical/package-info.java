/// What the user asked for: one immutable record per verb. Every node has its schema if it is known before anything
/// runs. No behaviour beyond checks in the constructors.
@NullMarked
package dev.millrace.internal.plan.logical;

import org.jspecify.annotations.NullMarked;
