package dev.millrace.cli;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// What was found of one thing that Millrace needs or can use.
///
/// @param found as a sentence or less
/// @param remedy how to get what is missing; empty if nothing is
record DoctorCheck(String name, State state, String found, String remedy) {
    enum State {
        /// It works.
        OK("green"),
        /// It is not there, and something can not be done without it.
        MISSING("yellow"),
        /// It is there, and will give trouble.
        TROUBLE("yellow"),
        /// Nothing works without it.
        BROKEN("red");

        private final String colour;

        State(String colour) {
            this.colour = colour;
        }

        String colour() {
            return colour;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static DoctorCheck ok(String name, String found) {
        return new DoctorCheck(name, State.OK, found, "");
    }

    static DoctorCheck missing(String name, String found, String remedy) {
        return new DoctorCheck(name, State.MISSING, found, remedy);
    }

    static DoctorCheck trouble(String name, String found, String remedy) {
        return new DoctorCheck(name, State.TROUBLE, found, remedy);
    }

    static DoctorCheck broken(String name, String found, String remedy) {
        return new DoctorCheck(name, State.BROKEN, found, remedy);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("state", state.word());
        json.put("found", found);
        json.put("remedy", remedy);
        return json;
    }
}
