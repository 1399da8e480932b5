"""Keeps one Millrace worker on every node of a Ray cluster, for one driver.

The driver runs this file with its Python. Both speak JSON, one object per line. The first line of standard input is the
order (RayOrder.java writes it, with the token in it); later lines ask for resources. Lines of standard output are events
(RayEvent.java). When standard input ends, or this process dies, everything that it started ends: the actors belong to its
job, and a worker ends with the standard input that its actor holds.
"""

import collections
import glob
import hashlib
import io
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

if __name__ == "__main__":
    events = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # What libraries print must not come between the events.


def tell(event, **values):
    print(json.dumps({"event": event, **values}), file=events, flush=True)


class NodeWorker:
    """The actor of a node: starts the worker process there as its child, and waits for its end."""

    def start(self, order, contents):
        import ray

        paths = [self.path(path, stamp, contents.get(path)) for path, stamp in order["classPath"]]
        if None in paths:
            return {"missing": [entry[0] for entry, path in zip(order["classPath"], paths) if path is None]}
        flags = order["flags"]
        if order.get("archive") and os.path.exists(order["archive"]) and paths == [entry[0] for entry in order["classPath"]]:
            # Java leaves out what does not fit.
            flags = [*flags, "-XX:AOTCache=" + order["archive"], "-Xlog:aot*=off", "-Xlog:cds*=off"]
        line = [self.java(order), *flags, "-cp", os.pathsep.join(paths), order["main"], "--stdin"]
        line += ["--listen", order["host"] + ":0", "--advertise", order["host"]]
        line += ["--cpus", "%g" % order["cpus"], "--gpus", "%g" % order["gpus"]]
        line += ["--custom", order["custom"]] if order["custom"] else []
        line += ["--tls", order["tls"]] if order["tls"] else []
        line += ["--memory", "%dm" % (order["memory"] >> 20)] if order["memory"] else []
        # The token goes through a pipe, not through arguments or the environment, which others can list.
        read, write = os.pipe()
        os.write(write, order["token"].encode())
        os.close(write)
        line += ["--token-file", "/dev/fd/%d" % read]
        self.process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        pass_fds=[read], text=True, errors="replace")
        os.close(read)
        self.said = collections.deque(maxlen=3)
        echo = threading.Thread(target=self.echo, daemon=True)
        echo.start()
        ready = self.process.stdout.readline().split()
        if len(ready) != 3:
            echo.join(5)
            raise RuntimeError("its process ended with code %d before it listened, and said: %s"
                               % (self.process.wait(), " ".join(self.said).strip().rstrip(".")))
        return {"host": ready[1], "port": int(ready[2]), "pid": self.process.pid, "gpuIds": ray.get_gpu_ids()}

    def echo(self):
        """What the worker says goes to this actor's standard error, which Ray keeps and shows as the actor's log."""
        for line in self.process.stderr:
            self.said.append(line.strip())
            print(line, end="", file=sys.stderr, flush=True)

    def wait(self):
        for line in self.process.stdout:
            print(line, end="", flush=True)
        return "its process ended with code %d" % self.process.wait()

    def java(self, order):
        homes = [os.environ.get("MILLRACE_JAVA_HOME"), order["java"], os.environ.get("JAVA_HOME")]
        homes += [os.path.dirname(os.path.dirname(os.path.realpath(os.path.join(folder, "java"))))
                  for folder in os.environ.get("PATH", "").split(os.pathsep)]
        for home in homes + sorted(glob.glob("/usr/lib/jvm/*")) + sorted(glob.glob("/opt/*")):
            try:
                with open(os.path.join(home or "", "release")) as release:
                    version = release.read().split('JAVA_VERSION="')[1].split('"')[0]
                if int(version.replace("-", ".").replace("+", ".").split(".")[0]) >= order["leastJava"]:
                    return os.path.join(home, "bin", "java")
            except (OSError, IndexError, ValueError):
                continue
        raise RuntimeError("it has no Java %d or newer; install one there, or set MILLRACE_JAVA_HOME where Ray is started"
                           % order["leastJava"])

    def path(self, path, stamp, content):
        """A part of the class path on this node: the driver's own, if the node sees the same file, or a copy."""
        import ray

        if stamp_of(path) == stamp:
            return path
        if content is None:
            return None
        digest, reference = content
        kept = os.path.join(tempfile.gettempdir(), "millrace-classes-%d" % os.getuid())
        os.makedirs(kept, mode=0o700, exist_ok=True)
        if os.lstat(kept).st_uid != os.getuid() or os.lstat(kept).st_mode & 0o077:
            raise RuntimeError("others could put code into %s, where it keeps classes; remove that there" % kept)
        folder = os.path.join(kept, digest)
        copy = os.path.join(folder, os.path.basename(path).removesuffix(".jar") + ".jar")
        if not os.path.exists(copy):
            os.makedirs(folder, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
                file.write(ray.get(reference[0]))
            os.replace(file.name, copy)
        return copy


def files_of(path):
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names) or [path]


def stamp_of(path):
    """Equal on two machines only if they see the same file or folder."""
    try:
        stamps = [(file, os.stat(file).st_size, os.stat(file).st_mtime_ns) for file in files_of(path)]
        return hashlib.sha256(repr(stamps).encode()).hexdigest()
    except OSError:
        return ""


def bytes_of(path):
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return file.read()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as jar:
        for file in filter(os.path.isfile, files_of(path)):
            jar.writestr(zipfile.ZipInfo(os.path.relpath(file, path)), bytes_of(file))
    return buffer.getvalue()


class Place:
    """A node with its actor, as the loop of the starter sees it."""

    def __init__(self, node):
        self.node, self.actor, self.call, self.worker = node, None, None, None
        self.failures, self.due, self.trouble = 0, 0.0, None

    def __str__(self):
        return self.node["NodeManagerAddress"]


def nodes_are_coming():
    """Whether the autoscaler starts nodes now, as each of its two versions tells; without an autoscaler, none are."""
    import ray
    from ray._raylet import GcsClient
    from ray.core.generated.autoscaler_pb2 import GetClusterStatusReply
    from ray.experimental.internal_kv import _internal_kv_get

    try:
        reply = GetClusterStatusReply()
        reply.ParseFromString(GcsClient(ray.get_runtime_context().gcs_address).get_cluster_status(timeout_s=5))
        state = reply.autoscaling_state
        if state.pending_instance_requests or state.pending_instances:
            return True
        report = json.loads(_internal_kv_get("__autoscaling_status") or "{}").get("autoscaler_report") or {}
        return bool(report.get("pending_launches") or report.get("pending_nodes"))
    except Exception as error:  # Of Ray's own parts, which change with its version: nothing is known then.
        print("millrace: the autoscaler's state is not known: %r" % error, file=sys.stderr)
        return False


class Starter:
    def __init__(self, order):
        self.order, self.places, self.requests, self.contents = order, {}, [], {}
        self.closing, self.began, self.hopeless = threading.Event(), time.monotonic(), False
        self.wants, self.asked, self.groups = [], [], []

    def run(self):
        import ray

        self.order["classPath"] = [[path, stamp_of(path)] for path in self.order["classPath"]]
        ray.init(address=self.order["address"], namespace="millrace", log_to_driver=False, configure_logging=False)
        tell("connected", version=ray.__version__, nodes=len(self.nodes()))
        threading.Thread(target=self.listen, daemon=True).start()
        while not self.closing.is_set():
            nodes = self.nodes()
            for name in self.places.keys() - nodes.keys():
                self.leave(self.places.pop(name), "Ray says that its node is gone")
            new = nodes.keys() - self.places.keys()
            for name in new:
                self.places[name] = Place(nodes[name])
            self.ask_for_room(bool(new))
            for place in self.places.values():
                if place.call is None and time.monotonic() >= place.due:
                    self.start(place, nodes)
                elif place.worker is None and time.monotonic() > place.due + self.order["patience"]:
                    place.trouble = self.what_it_waits_for(place)
            self.see_whether_any_comes()
            self.requests = [request for request in self.requests if not self.answered(request, nodes)]
            calls = {place.call: place for place in self.places.values() if place.call}
            for call in ray.wait(list(calls), timeout=0.25)[0] if calls else []:
                self.finish(calls[call])
            if not calls:
                self.closing.wait(0.25)
        for place in self.places.values():
            if place.call is not None:
                ray.kill(place.actor)
        ray.shutdown()

    def nodes(self):
        import ray

        return {node["NodeID"]: node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) > 0}

    def start(self, place, nodes):
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        has, order = place.node["Resources"], dict(self.order)
        # Several nodes of one machine, as on a developer's, share its memory.
        sharing = sum(node["NodeManagerHostname"] == place.node["NodeManagerHostname"] for node in nodes.values())
        if sharing > 1:
            order["memory"] = order["memory"] or int(has.get("memory", 4 << 30) * order["memoryShare"] / sharing)
            order["flags"] = ["-XX:MaxRAMPercentage=%g" % (25 / sharing), *order["flags"]]
        order["cpus"] = min(order["cpus"] or has["CPU"], has["CPU"])
        order["gpus"] = min(has.get("GPU", 0) if order["gpus"] is None else order["gpus"], has.get("GPU", 0))
        order["custom"] = ",".join("%s=%g" % item for item in sorted(has.items()) if ":" not in item[0]
                                   and item[0] not in ("CPU", "GPU", "memory", "object_store_memory"))
        order["host"], node = place.node["NodeManagerAddress"], place.node["NodeID"]
        order["name"] = "millrace-%s-%s-%d" % (order["session"], node[:8], int(time.time() * 1000))
        place.actor = ray.remote(NodeWorker).options(
            name=order["name"], num_cpus=order["cpus"], num_gpus=order["gpus"], max_concurrency=2,
            scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False)).remote()
        place.order, place.due = order, time.monotonic()
        place.call = place.actor.start.remote(order, self.contents)

    def finish(self, place):
        import ray

        try:
            result = ray.get(place.call)
        except ray.exceptions.RayTaskError as error:
            return self.leave(place, str(error.cause))
        except ray.exceptions.RayError as error:
            return self.leave(place, str(error).strip().splitlines()[0].rstrip("."))
        if place.worker is not None:
            return self.leave(place, result)
        if "missing" in result:
            for path in set(result["missing"]) - self.contents.keys():
                content = bytes_of(path)
                self.contents[path] = (hashlib.sha256(content).hexdigest(), [ray.put(content)])
            place.call = place.actor.start.remote(place.order, self.contents)
            return
        place.worker, place.trouble, place.call = result, None, place.actor.wait.remote()
        tell("joined", node=place.node["NodeID"], **result)

    def leave(self, place, why):
        import ray

        place.failures = 0 if place.worker is not None else place.failures + 1
        place.trouble = None if place.worker is not None else why
        tell("left" if place.worker is not None else "failed", node=place.node["NodeID"], host=str(place), why=why)
        if place.call is not None:
            ray.kill(place.actor)
        place.worker, place.call = None, None
        place.due = time.monotonic() + (min(2 ** place.failures, 30) if place.failures else 0.2)

    def what_it_waits_for(self, place):
        from ray._private.state import available_resources_per_node

        free = available_resources_per_node().get(place.node["NodeID"], {})
        return ("%g CPUs and %g GPUs are to be reserved for its worker, and %g CPUs and %g GPUs are free, since other jobs"
                " have the rest; ask for fewer with ?cpus=N after the address") % (place.order["cpus"], place.order["gpus"], free.get("CPU", 0), free.get("GPU", 0))

    def see_whether_any_comes(self):
        """Tells once that no worker comes, if there is none and each node has said why."""
        late = time.monotonic() > self.began + self.order["patience"]
        if self.hopeless or any(place.worker or not place.trouble for place in self.places.values()):
            return
        if not self.places and not self.wants:
            self.wants = [{"CPU": 1}]  # The autoscaler may have a node for the first worker.
        if self.places or late and not (self.within_limit(self.began) and nodes_are_coming()):
            self.hopeless = True
            tell("hopeless", troubles=[[str(place), place.trouble] for place in self.places.values()])

    def listen(self):
        for line in sys.stdin:
            said = json.loads(line)
            if "wants" in said:
                self.wants = said["wants"]
            else:
                self.requests = [*self.requests, {**said, "since": time.monotonic(), "group": None}]
        self.closing.set()

    def within_limit(self, since):
        return time.monotonic() < since + self.order["limit"]

    def ask_for_room(self, node_came):
        """Keeps a placement group of its own for each bundle that work waits for: the autoscaler adds nodes for those that
        find no room. The room of a node that came is its worker's, so they are dropped then, and asked for again if work
        still waits; so is one that has found room on a node of which this session does not use all."""
        import ray
        from ray.util.placement_group import placement_group, remove_placement_group

        if node_came:
            self.wants = []
        if self.wants != self.asked:
            for group in self.groups:
                remove_placement_group(group)
            self.asked, self.groups = self.wants, [placement_group([bundle]) for bundle in self.wants]
        elif self.groups:
            table = ray.util.placement_group_table()
            placed = [group for group in self.groups if table.get(group.id.hex(), {}).get("state") == "CREATED"]
            for group in placed:
                remove_placement_group(group)
            self.groups = [group for group in self.groups if group not in placed]

    def answered(self, request, nodes):
        """Whether a request was answered: some node has what it asks for, or none came in time. Until then it is a placement
        group, which the autoscaler counts and which ends with this job; what is asked for through ray.autoscaler.sdk stays
        when the job is gone."""
        from ray.util.placement_group import placement_group, remove_placement_group

        if any(all(node["Resources"].get(kind, 0) >= amount for kind, amount in request["bundle"].items())
               for node in nodes.values()):
            if request["group"] is not None:
                remove_placement_group(request["group"])
            tell("granted", id=request["id"])
            return True
        request["group"] = request["group"] or placement_group([request["bundle"]])
        waited = time.monotonic() - request["since"]
        if waited < self.order["patience"] or self.within_limit(request["since"]) and nodes_are_coming():
            return False
        remove_placement_group(request["group"])
        tell("lacking", id=request["id"], seconds=int(waited), most={
            kind: max((node["Resources"].get(kind, 0) for node in nodes.values()), default=0)
            for kind in request["bundle"]})
        return True


def main():
    order = json.loads(sys.stdin.readline())
    try:
        import ray  # noqa: F401
    except ImportError:
        return tell("missing", python=sys.executable)
    try:
        if ":" in order["address"]:
            host, _, port = order["address"].rpartition(":")
            socket.create_connection((host.strip("[]"), int(port)), 5).close()
    except OSError as error:
        return tell("silent", why=str(error))
    try:
        Starter(order).run()
    except Exception as error:
        tell("broken", why="%s: %s" % (type(error).__name__, str(error).strip()))
        os._exit(1)


if __name__ == "__main__":
    main()
