import { findStarter } from "./starter.ts";

/** Ctrl-C, `kill`, and a terminal that closes. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * From when on another signal means impatience. Ctrl-C under npm arrives twice: from the terminal, and passed on by
 * npm.
 */
const patienceMs = 1_000;
/** Milliseconds between looks at npm. */
const lookMs = 500;

/**
 * Resolves when this process is told to end: by SIGINT, SIGTERM or SIGHUP, or when the npm that started it
 * (`npm start`, `npx`) has ended. Call it first: the signals count from then on. A signal that follows the first
 * by a second or more ends the process at once, with status 1.
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
  // Where the starter cannot be read the signals still count.
  const starter = await findStarter().catch(() => undefined);
  if (starter) {
    const look = async () => {
      if (await starter.isGone().catch(() => false)) stop();
    };
    // A failed look counts as a starter that is there.
    const timer = setInterval(() => void look(), lookMs);
    timer.unref();
    void stopped.then(() => clearInterval(timer));
  }
  await stopped;
}
