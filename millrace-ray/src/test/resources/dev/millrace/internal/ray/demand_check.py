"""Prints the bundles that Ray's autoscaler is to find nodes for, as soon as they are as many as is said: address, token, number."""
import os
import sys
import time

address, token, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN_PATH=token)

from ray._raylet import GcsClient  # noqa: E402
from ray.autoscaler.v2.sdk import get_cluster_resource_state  # noqa: E402


def bundles():
    state = get_cluster_resource_state(GcsClient(address))
    return [dict(bundle.resources_bundle) for gang in state.pending_gang_resource_requests
            for bundle in (list(gang.requests) or [request for each in gang.bundle_selectors for request in each.resource_requests])]


deadline = time.monotonic() + 60
while len(bundles()) != number and time.monotonic() < deadline:
    time.sleep(0.1)
print(bundles())
