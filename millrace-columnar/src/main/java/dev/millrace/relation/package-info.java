/// Parameters of verbs over several rows or datasets: how to join, how to sort, when a mix ends.
@NullMarked
package dev.millrace.relation;

import org.jspecify.annotations.NullMarked;
