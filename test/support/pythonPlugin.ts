import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A plugin in Python, which runs in a separate process. */
export interface PythonPlugin {
  readonly url: string;
  close(): Promise<void>;
}

const example = join(import.meta.dirname, "../../examples/python-plugin/plugin.py");

/** Starts a plugin in Python on loopback. The default is the plugin in examples/python-plugin. */
export async function openPythonPlugin(
  secret: string,
  args: readonly string[] = [example],
): Promise<PythonPlugin> {
  // Without -B, Python would write compiled files next to the sources.
  const child = spawn("python3", ["-B", ...args], {
    env: { PATH: process.env["PATH"], SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(child.stdout), "line");
  return {
    url: /http:\/\/\S+/.exec(String(line))?.[0] ?? "",
    async close() {
      const ended = once(child, "exit");
      if (child.kill("SIGTERM")) await ended;
    },
  };
}
