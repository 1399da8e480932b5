package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.DashboardSettings;
import dev.millrace.settings.LogSettings;
import dev.millrace.settings.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GivenSettingsTest {
    private static Settings over(Settings settings, String property, String value) {
        return GivenSettings.over(settings, name -> Map.of(property, value).getOrDefault(name, ""));
    }

    private static Settings given(String property, String value) {
        return over(Settings.DEFAULT, property, value);
    }

    @Test
    void nothingGivenChangesNothing() {
        assertThat(given("other", "true")).isSameAs(Settings.DEFAULT);
        assertThat(given(Session.DASHBOARD, "false")).isSameAs(Settings.DEFAULT);
        assertThat(given(Session.LOG, " false ")).isSameAs(Settings.DEFAULT);
    }

    @Test
    void aDashboardIsGivenByTrueOrByItsPort() {
        assertThat(given(Session.DASHBOARD, "true").dashboard()).isEqualTo(DashboardSettings.ON);
        assertThat(given(Session.DASHBOARD, " 8080 ").dashboard()).isEqualTo(DashboardSettings.ON.withPort(8080));
    }

    @Test
    void aLogIsGivenByItsKind() {
        assertThat(given(Session.LOG, "true").log()).isEqualTo(LogSettings.TEXT);
        assertThat(given(Session.LOG, "json").log()).isEqualTo(LogSettings.JSON);
        assertThat(given(Session.LOG, "logger").log()).isEqualTo(LogSettings.LOGGER);
    }

    @Test
    void whatTheProgramSetsGoesFirst() {
        Settings own =
                Settings.DEFAULT.with(DashboardSettings.ON.withPort(4000)).with(LogSettings.JSON);
        assertThat(over(own, Session.DASHBOARD, "8080")).isSameAs(own);
        assertThat(over(own, Session.LOG, "true")).isSameAs(own);
    }

    @Test
    void anythingElseIsRefused() {
        assertThatThrownBy(() -> given(Session.DASHBOARD, "yes"))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.USER))
                .hasMessage("The property millrace.dashboard is true, false or a port, not 'yes'.");
        assertThatThrownBy(() -> given(Session.LOG, "xml"))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.USER))
                .hasMessage("The property millrace.log is true, json, logger or false, not 'xml'.");
    }
}
