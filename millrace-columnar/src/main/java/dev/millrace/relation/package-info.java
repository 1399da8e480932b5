/// What verbs over several rows or datasets are told: how to join, by what to sort, when a mix ends.
package dev.millrace.relation;
