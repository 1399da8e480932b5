package dev.millrace.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GpuSharesTest {
    private final GpuShares gpus = new GpuShares(3);

    @Test
    void wholeDevicesAreNobodyElses() {
        assertThat(gpus.take(1).devices()).containsExactly(0);
        assertThat(gpus.take(2).devices()).containsExactly(1, 2);
    }

    @Test
    void partsShareADeviceSoThatOthersStayWhole() {
        assertThat(gpus.take(0.5).devices()).containsExactly(0);
        assertThat(gpus.take(1).devices()).containsExactly(1);
        assertThat(gpus.take(0.5).devices()).containsExactly(0);
        assertThat(gpus.take(0.25).devices()).containsExactly(2);
    }

    @Test
    void whatIsGivenBackIsTakenAgain() {
        GpuShares.Share first = gpus.take(1);
        gpus.take(1);
        gpus.giveBack(first);
        assertThat(gpus.take(1).devices()).containsExactly(0);
        assertThat(gpus.take(1).devices()).containsExactly(2);
    }

    @Test
    void partsThatLeaveNoDeviceWholeAreSharedRatherThanRefused() {
        GpuShares two = new GpuShares(2);
        two.take(0.6);
        two.take(0.5);
        assertThat(two.take(0.9).devices()).containsExactly(1);
    }

    @Test
    void aMachineWithoutDevicesGivesNone() {
        assertThat(new GpuShares(0).take(1).devices()).isEmpty();
        assertThat(gpus.take(0).devices()).isEmpty();
    }
}
