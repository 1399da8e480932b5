package dev.millrace.benchmarks.suite;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.MeasuredProcess;
import dev.millrace.benchmarks.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Measures the first run: each engine in fresh processes, in turns, so that what else the machine does falls on all
/// of them.
public final class ColdBench {
    /// Fresh processes of each engine.
    public static final int ROUNDS = 5;

    private ColdBench() {}

    /// @throws BenchFailure a sentence, if the workload has no first run of its own
    public static void check(Workload workload) throws BenchFailure {
        if (workload.name().equals("start")) {
            throw new BenchFailure("'start' measures fresh processes already: leave --cold out.");
        }
    }

    /// Runs each in `rounds` processes. A different one begins each round.
    ///
    /// @param settings its number of times is not used: each process runs the workload once
    public static ColdReport run(Workload workload, BenchSettings settings, List<Contestant> contestants, int rounds)
            throws Exception {
        check(workload);
        workload.prepare(settings);
        Map<String, List<MeasuredProcess>> runs = new LinkedHashMap<>();
        contestants.forEach(contestant -> runs.put(contestant.label(), new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < contestants.size(); i++) {
                Contestant turn = contestants.get((round + i) % contestants.size());
                runs.getOrDefault(turn.label(), List.of()).add(once(turn, workload, settings));
            }
        }
        List<Outcome> outcomes = new ArrayList<>();
        runs.forEach((label, all) -> outcomes.add(Outcome.cold(workload.name(), label, all)));
        return new ColdReport(workload, outcomes);
    }

    private static MeasuredProcess once(Contestant contestant, Workload workload, BenchSettings settings)
            throws IOException, InterruptedException, BenchFailure {
        return contestant.fresh().run(workload, settings, 1);
    }
}
