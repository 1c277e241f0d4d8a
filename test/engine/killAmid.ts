import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

interface KillRequest {
  readonly script: URL;
  readonly args: readonly string[];
  /** Given the lines that the process has printed, returns whether it may be killed now. */
  readonly isReady: (lines: readonly string[]) => boolean;
  /** Milliseconds for which the process continues after `isReady` returns true. */
  readonly afterMs: number;
}

/**
 * Runs a script in a separate process, kills the process with SIGKILL while it works, and returns the complete lines
 * that it printed.
 */
export async function killAmid(request: KillRequest): Promise<readonly string[]> {
  const { script, args, isReady, afterMs } = request;
  const child = spawn(
    process.execPath,
    ["--conditions=manifold-source", fileURLToPath(script), ...args],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.on("data", (data) => (output += String(data)));
  const lines = () => output.split("\n").slice(0, -1);
  while (!isReady(lines())) await once(child.stdout, "data");
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill("SIGKILL");
  await once(child, "close");
  return lines();
}
