/// The dashboard of a session: samples of its runs ([SessionDashboard]) go out as JSON ([RunJson]), as events
/// ([EventHub]), as metrics ([PrometheusText]) and to a folder of ended runs ([RunArchive]), by one HTTP server
/// ([DashboardServer]). Nothing here may slow a run down: the session's threads only hand over references.
@NullMarked
package dev.millrace.internal.dashboard;

import org.jspecify.annotations.NullMarked;
