import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createClient, type Client } from "../../core/web/client/index.ts";

/** The key of the owner in every host process of the tests. */
export const ownerKey = "5f0c2b5e-3a71-4c1e-9c55-0d3f6b0a4e11";
export const ownerToken = "a-token-of-the-tests-only-0123456789abcdef";

/** A real `manifold serve` in a separate process. */
export interface HostProcess {
  readonly url: string;
  readonly pid: number;
  readonly client: Client;
  /** Returns the output of the process so far. */
  output(): string;
  /** Sends a signal. Resolves to the exit code or signal with which the process ended. */
  end(
    signal: NodeJS.Signals,
  ): Promise<{ readonly status: number | null; readonly signal: string | null }>;
}

/** The command file of this source tree. */
export const ownMain = fileURLToPath(new URL("../../core/cli/main.ts", import.meta.url));

/**
 * Starts a host on a free port. Resolves when the host listens. If the process ends earlier, rejects with its output.
 * `main` is the command file, which may belong to another version, or a list with the arguments that start it.
 */
export async function startHostProcess(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
  main: string | readonly string[] = ownMain,
): Promise<HostProcess> {
  const child: ChildProcess = spawn(process.execPath, [main, "serve"].flat(), {
    env: {
      ...process.env,
      MANIFOLD_DATA_DIR: dataDir,
      MANIFOLD_PORT: "0",
      MANIFOLD_KEY: ownerKey,
      MANIFOLD_TOKEN: ownerToken,
      MANIFOLD_LOG_LEVEL: "warn",
      MANIFOLD_CALLS_PER_SECOND: "0",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit") as Promise<[number | null, string | null]>;
  let output = "";
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const url = /Manifold listens on (\S+)/.exec(output)?.[1];
      if (url) resolve(url);
    });
  const url = await Promise.race([
    listening,
    ended.then(([status]) => {
      throw new Error(`the host exited with status ${status}: ${output}`);
    }),
  ]);
  return {
    url,
    pid: child.pid ?? 0,
    client: createClient({ url, key: ownerKey, token: ownerToken }),
    output: () => output,
    async end(signal) {
      child.kill(signal);
      const [status, endSignal] = await ended;
      return { status, signal: endSignal };
    },
  };
}
