import { findStarter } from "./starter.ts";

/** Signals that stop the process: sent by Ctrl-C, by `kill`, and when the terminal closes. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Milliseconds after the first signal during which further signals are ignored, because under npm Ctrl-C arrives twice:
 * from the terminal, and from npm. A later signal makes the process exit at once.
 */
const patienceMs = 1_000;
/** Milliseconds between two checks of whether npm is still running. */
const lookMs = 500;

/**
 * Resolves when this process should stop: on SIGINT, SIGTERM or SIGHUP, or when the npm command that started it (`npm
 * start`, `npx`) has ended. Call this function early, because earlier signals are not handled. If a further signal
 * arrives a second or more after the first, the process exits at once with status 1.
 */
export async function untilStopped(): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  let stoppedAt: number | undefined;
  const onSignal = () => {
    if (stoppedAt !== undefined && performance.now() - stoppedAt >= patienceMs) process.exit(1);
    stoppedAt ??= performance.now();
    stop();
  };
  for (const signal of signals) process.on(signal, onSignal);
  // If the starter cannot be read, signals still stop the process.
  const starter = await findStarter().catch(() => undefined);
  if (starter) {
    const look = async () => {
      if (await starter.isGone().catch(() => false)) stop();
    };
    // If the check fails, the starter is assumed to be running.
    const timer = setInterval(() => void look(), lookMs);
    timer.unref();
    void stopped.then(() => clearInterval(timer));
  }
  await stopped;
}
