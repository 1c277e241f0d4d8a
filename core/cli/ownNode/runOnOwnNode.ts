import { spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { findOwnNode } from "./findOwnNode.ts";

/** Signals that are passed on to the command. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The variable in which the command finds the id of the process that started it. */
const launcherVariable = "MANIFOLD_LAUNCHER";

/**
 * Runs the command again with its own Node.js. The command uses this process's input and output, receives its signals,
 * and determines its exit status. If that Node.js cannot run, prints the reason and sets the exit status 2.
 */
export async function runOnOwnNode(main: string, args: readonly string[]): Promise<void> {
  const { env: environment } = process;
  try {
    const { program, npm } = await findOwnNode({
      environment,
      version: process.versions.node,
      note: (line) => void process.stderr.write(`${line}\n`),
    });
    await run(program, [main, ...args], {
      ...environment,
      // Programs that the command starts, such as npm, run with the same Node.js.
      PATH: [dirname(program), environment["PATH"]].filter(Boolean).join(delimiter),
      [launcherVariable]: String(process.pid),
      ...(npm !== undefined && { npm_execpath: npm }),
    });
  } catch (failure) {
    process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`);
    process.exitCode = 2;
  }
}

/**
 * Resolves when the program has ended, after setting this process's exit status to the program's. If a signal ended the
 * program, this process gets the same signal.
 */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: "inherit" });
    const pass = (signal: NodeJS.Signals) => void child.kill(signal);
    for (const signal of signals) process.on(signal, pass);
    const settle = () => {
      for (const signal of signals) process.off(signal, pass);
    };
    child.once("error", (failure) => {
      settle();
      reject(failure);
    });
    child.once("exit", (status, signal) => {
      settle();
      if (signal) process.kill(process.pid, signal);
      process.exitCode = status ?? 1;
      resolve();
    });
  });
}
