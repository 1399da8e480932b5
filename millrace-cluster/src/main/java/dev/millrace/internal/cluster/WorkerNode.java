package dev.millrace.internal.cluster;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.code.CodeServer;
import dev.millrace.internal.cluster.code.CodeSupply;
import dev.millrace.internal.cluster.code.DriverCode;
import dev.millrace.internal.cluster.link.BlockPeer;
import dev.millrace.internal.cluster.link.Greeting;
import dev.millrace.internal.cluster.link.Link;
import dev.millrace.internal.cluster.link.MessageLink;
import dev.millrace.internal.cluster.start.WorkerAddress;
import dev.millrace.internal.runtime.wire.WireMessage;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgress;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.WorkerGone;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The driver's side of one worker: its connection, and what runs there. Thread-safe; `this` guards what runs, so that
/// a task is either told to a living worker or learns that the worker is gone.
final class WorkerNode {
    private static final int WHEREABOUTS_MILLIS = 1_000;

    private final WorkerAddress address;
    private final String name;
    private final int index;
    private final MessageLink link;
    private final BlockPeer blocks;
    private final Map<Long, Consumer<TaskEvent>> tasks = new HashMap<>();
    private final Map<Long, Consumer<TaskEvent>> actors = new HashMap<>();
    private final Set<Long> parts = new HashSet<>();
    private final Map<Long, TaskProgress> progress = new ConcurrentHashMap<>();
    private final Map<Long, CompletableFuture<String>> questions = new ConcurrentHashMap<>();
    private volatile long cpuNanos;
    private Runtime.@Nullable Node description;
    private @Nullable CodeServer codeServer;
    private @Nullable String gone;

    WorkerNode(WorkerAddress address, Greeting greeting, Link link, BlockPeer blocks) {
        this.address = address;
        this.name = greeting.node();
        this.index = greeting.index();
        this.blocks = blocks;
        this.link = new MessageLink(link, "worker-" + greeting.index(), () -> new WireMessage.Pulse(-1, List.of()));
    }

    String name() {
        return name;
    }

    /// Its number among all workers of the driver, from 1 on.
    int index() {
        return index;
    }

    WorkerAddress address() {
        return address;
    }

    BlockPeer blocks() {
        return blocks;
    }

    long cpuNanos() {
        return cpuNanos;
    }

    MessageLink link() {
        return link;
    }

    /// What the worker said that it has.
    Runtime.Node description() {
        return Objects.requireNonNull(description, "it has joined");
    }

    void welcome(WireMessage.Welcome welcome) {
        description = new Runtime.Node(name, welcome.resources(), welcome.blockMemory());
    }

    /// Tells the worker of the driver's code, before its first program.
    ///
    /// @param code null: the worker has the driver's class path
    void sendCode(@Nullable DriverCode code) {
        if (code != null) {
            CodeServer server =
                    new CodeServer(code, bytes -> link.send(new WireMessage.Attachment(CodeSupply.ATTACHMENT, bytes)));
            codeServer = server;
            server.start();
        }
    }

    /// A question of the worker about the driver's code.
    void answerCode(byte[] question) {
        if (codeServer != null) {
            codeServer.handle(question);
        }
    }

    /// How busy it is: tasks for each CPU.
    synchronized double load() {
        return tasks.size() / Math.max(0.1, description().resources().cpus());
    }

    /// Sends a task, after the parts of its program that the worker does not have yet. False if the worker is gone.
    boolean submit(WireMessage.Submit task, PartBytes programs, Consumer<TaskEvent> events) {
        synchronized (this) {
            if (gone != null) {
                return false;
            }
            tasks.put(task.task(), events);
            sendParts(task.program().parts(), programs);
            link.send(task);
            return true;
        }
    }

    /// The same for an actor.
    boolean startActor(WireMessage.StartActor actor, PartBytes programs, Consumer<TaskEvent> events) {
        synchronized (this) {
            if (gone != null) {
                return false;
            }
            actors.put(actor.actor(), events);
            sendParts(actor.program().parts(), programs);
            link.send(actor);
            return true;
        }
    }

    /// The bytes of a part of a program.
    interface PartBytes {
        byte[] of(long part);
    }

    private void sendParts(List<Long> needed, PartBytes programs) {
        for (long part : needed) {
            if (parts.add(part)) {
                link.send(new WireMessage.ProgramPart(part, programs.of(part)));
            }
        }
    }

    synchronized void forgetParts(List<Long> numbers) {
        List<Long> known = numbers.stream().filter(parts::remove).toList();
        if (!known.isEmpty()) {
            link.send(new WireMessage.ForgetParts(known));
        }
    }

    /// Whether it has the task.
    synchronized boolean runs(long task) {
        return tasks.containsKey(task);
    }

    synchronized boolean hasActor(long actor) {
        return actors.containsKey(actor);
    }

    synchronized void stopActor(long actor) {
        link.send(new WireMessage.StopActor(actor));
    }

    /// The receiver of a task's events.
    ///
    /// @param last removes it
    synchronized @Nullable Consumer<TaskEvent> receiver(long task, boolean last) {
        return last ? tasks.remove(task) : tasks.get(task);
    }

    /// The receiver of an actor's events.
    ///
    /// @param last the actor has failed
    synchronized @Nullable Consumer<TaskEvent> actorReceiver(long actor, boolean last) {
        return last ? actors.remove(actor) : actors.get(actor);
    }

    void pulse(WireMessage.Pulse pulse) {
        if (pulse.cpuNanos() >= 0) {
            cpuNanos = pulse.cpuNanos();
        }
        Map<Long, TaskProgress> now = new HashMap<>();
        pulse.progress().forEach(each -> now.put(each.task(), each.progress()));
        progress.keySet().retainAll(now.keySet());
        progress.putAll(now);
    }

    Optional<TaskProgress> progress(long task) {
        return Optional.ofNullable(progress.get(task));
    }

    /// Asks the worker, and waits a second for the answer.
    Optional<String> whereabouts(long task) {
        CompletableFuture<String> question = questions.computeIfAbsent(task, _ -> new CompletableFuture<>());
        link.send(new WireMessage.AskWhereabouts(task));
        try {
            String text = question.get(WHEREABOUTS_MILLIS, TimeUnit.MILLISECONDS);
            return text.isEmpty() ? Optional.empty() : Optional.of(text + " of " + name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException e) {
            return Optional.of("on " + name + ", which does not say where");
        } finally {
            questions.remove(task, question);
        }
    }

    void answered(WireMessage.Whereabouts where) {
        CompletableFuture<String> question = questions.get(where.task());
        if (question != null) {
            question.complete(where.text());
        }
    }

    /// The worker is gone: what ran there is lost. The caller has told everybody else before.
    ///
    /// @param why a part of a sentence
    void lost(String why) {
        Map<Long, Consumer<TaskEvent>> lostTasks;
        Map<Long, Consumer<TaskEvent>> lostActors;
        synchronized (this) {
            gone = why;
            lostTasks = new HashMap<>(tasks);
            lostActors = new HashMap<>(actors);
            tasks.clear();
            actors.clear();
        }
        blocks.gone(why);
        new ArrayList<>(lostTasks.entrySet())
                .forEach(task ->
                        task.getValue().accept(new TaskEvent.Failed(task.getKey(), loss(why), true, TaskReport.EMPTY)));
        lostActors.forEach((actor, events) -> events.accept(new TaskEvent.ActorFailed(actor, loss(why), true)));
    }

    private MillraceException loss(String why) {
        return MillraceException.resources("Worker " + name + " (" + address + ") was lost: " + why + ".");
    }

    /// For a task or actor that came too late.
    WorkerGone goneBefore() {
        return new WorkerGone("Worker " + name + " (" + address + ") was gone before the task came there.");
    }

    @Override
    public String toString() {
        return name;
    }
}
