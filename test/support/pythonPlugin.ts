import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The plugin in examples/python-plugin, which runs in a separate process. */
export interface PythonPlugin {
  readonly url: string;
  close(): Promise<void>;
}

const file = join(import.meta.dirname, "../../examples/python-plugin/plugin.py");

/** Starts the Python plugin on loopback. */
export async function openPythonPlugin(secret: string): Promise<PythonPlugin> {
  const child = spawn("python3", [file], {
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
