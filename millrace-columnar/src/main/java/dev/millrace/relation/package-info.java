/// Parameters of verbs over several rows or datasets: how to join, by what to sort, when a mix ends.
package dev.millrace.relation;
