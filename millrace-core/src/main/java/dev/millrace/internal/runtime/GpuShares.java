package dev.millrace.internal.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Assigns devices of this machine to actors. The resource accounting has made sure that there are as many GPUs as are
/// requested; here they get device numbers. A fraction of a GPU comes from the fullest device that has room for it, so
/// that whole devices stay whole; whole ones come from unused devices. If fragmentation leaves no fit, the emptiest
/// devices are oversubscribed rather than the actor refused. Thread-safe.
public final class GpuShares {
    private static final double EPSILON = 1e-9;

    private final double[] used;

    public GpuShares(int devices) {
        this.used = new double[devices];
    }

    /// The devices of one actor, until they are given back.
    ///
    /// @param each the fraction it takes of each of them
    public record Share(List<Integer> devices, double each) {
        static final Share NONE = new Share(List.of(), 0);
    }

    /// @param gpus as requested: below 1 a fraction of one device, else the number of devices, rounded up
    public synchronized Share take(double gpus) {
        if (gpus <= 0 || used.length == 0) {
            return Share.NONE;
        }
        double each = Math.min(1, gpus);
        int count = Math.min(used.length, (int) Math.ceil(gpus - EPSILON));
        List<Integer> devices = new ArrayList<>(count);
        while (devices.size() < count) {
            devices.add(best(each, devices));
        }
        devices.forEach(device -> used[device] += each);
        return new Share(List.copyOf(devices), each);
    }

    public synchronized void giveBack(Share share) {
        share.devices().forEach(device -> used[device] = Math.max(0, used[device] - share.each()));
    }

    private int best(double each, List<Integer> taken) {
        int best = -1;
        boolean bestFits = false;
        for (int device = 0; device < used.length; device++) {
            if (taken.contains(device)) {
                continue;
            }
            boolean fits = used[device] + each <= 1 + EPSILON;
            boolean better = fits ? used[device] > (best < 0 ? -1 : used[best]) : best < 0 || used[device] < used[best];
            if (best < 0 || fits && !bestFits || fits == bestFits && better) {
                best = device;
                bestFits = fits;
            }
        }
        return best;
    }

    @Override
    public synchronized String toString() {
        return Arrays.toString(used);
    }
}
