import { spawn } from "node:child_process";
import { env, kill, platform } from "node:process";
import type { Command } from "./runAs.ts";

/** The server as a child process. It does not keep this process alive. */
export interface ServerProcess {
  /** Returns the reason why the server has exited; undefined while it runs. */
  reason(): string | undefined;
  /** Resolves when the server exits, with the reason. */
  readonly ended: Promise<string>;
  /**
   * Stops the server and waits until it has exited. Requests a fast shutdown first, and an immediate one after
   * `stopMs`.
   */
  stop(): Promise<void>;
}

const stopMs = 20_000;

/**
 * The only environment variables that the server inherits. Every program needs them to start, and none contains a
 * secret of the host.
 */
const inherited = ["PATH", "SystemRoot", "TEMP", "TMP"];

/** Starts the server in its own process group, so that Ctrl-C reaches only the host, which then stops the server. */
export function startServer({ file, args, user }: Command): ServerProcess {
  const isWindows = platform === "win32";
  const child = spawn(file, args, {
    ...user,
    cwd: isWindows ? undefined : "/",
    env: Object.fromEntries(inherited.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
    detached: !isWindows,
    stdio: ["pipe", "ignore", "pipe"],
  });
  let reason: string | undefined;
  let complaints = "";
  child.stderr.on("data", (text: Buffer) => {
    complaints = (complaints + text.toString()).slice(-2_000);
  });
  const ended = new Promise<string>((resolve) => {
    const end = (text: string) => {
      // If the shell was killed, a process that it left behind may still read from this stream.
      child.stdin.destroy();
      resolve((reason ??= text));
    };
    child.once("error", (failure) => end(failure.message));
    child.once("exit", (code, signal) =>
      end(`it exited with ${signal ?? code}: ${complaints.trim()}`),
    );
  });
  child.stdin.on("error", () => undefined);
  for (const handle of [child, child.stdin, child.stderr] as { unref?: () => void }[])
    handle.unref?.();
  return {
    reason: () => reason,
    ended,
    async stop() {
      if (reason !== undefined || child.pid === undefined) return;
      child.ref();
      if (isWindows) child.kill("SIGINT");
      else child.stdin.destroy();
      const group = -child.pid;
      const late = setTimeout(() => (isWindows ? child.kill() : kill(group, "SIGQUIT")), stopMs);
      await ended;
      clearTimeout(late);
    },
  };
}
