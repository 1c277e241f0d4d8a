import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A running program, which `end` stops. */
export interface StartedProgram {
  /** The first line of output that contains the awaited text, or the last line if no line contains it. */
  readonly line: string;
  /** Sends SIGINT. Resolves when the program has exited. */
  end(): Promise<void>;
}

export interface StartOptions {
  readonly cwd: string;
  /** Environment variables of the program, in addition to those of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a program. Resolves when a line of its output contains `text`, or when the output has ended. */
export async function startProgram(
  file: string,
  args: readonly string[],
  text: string,
  { cwd, environment = {} }: StartOptions,
): Promise<StartedProgram> {
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: "", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let last = "";
  for await (const line of createInterface(child.stdout)) {
    last = line;
    if (line.includes(text)) break;
  }
  return {
    line: last,
    async end() {
      child.kill("SIGINT");
      await exited;
    },
  };
}
