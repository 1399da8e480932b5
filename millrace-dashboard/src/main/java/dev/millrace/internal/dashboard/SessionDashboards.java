package dev.millrace.internal.dashboard;

import dev.millrace.internal.observe.DashboardProvider;
import dev.millrace.internal.observe.SessionObserver;
import dev.millrace.internal.observe.SessionView;
import dev.millrace.settings.DashboardSettings;

/// Opens the dashboards of sessions, and says on standard error where they are.
public final class SessionDashboards implements DashboardProvider {
    @Override
    public SessionObserver open(DashboardSettings settings, SessionView session) {
        SessionDashboard dashboard = SessionDashboard.open(settings, session);
        System.err.println("millrace: dashboard at " + dashboard.uri());
        return dashboard;
    }
}
