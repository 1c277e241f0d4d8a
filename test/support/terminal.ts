import { spawn } from "node:child_process";
import { findProgram } from "./findProgram.ts";
import { readOutput, type Output } from "./readOutput.ts";

/** A command that runs on a separate terminal. */
export interface Terminal extends Output {
  /** Types text, such as Ctrl-C. */
  type(text: string): void;
}

/** The program from util-linux that runs a command on a terminal. Its arguments differ on macOS. */
const script = process.platform === "linux" ? findProgram("script") : undefined;

/** The reason why commands cannot run on a terminal on this machine; undefined if they can. */
export const missingTerminal =
  script === undefined ? "commands on a terminal need the program script of util-linux" : undefined;

export const ctrlC = "\u0003";

/**
 * Starts a shell command on a terminal. The caller stops the command with Ctrl-C. The shell also receives Ctrl-C: bash
 * then waits for the command and returns its status, but some other shells return their own status.
 */
export function openTerminal(
  command: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Terminal {
  const child = spawn(script ?? "script", ["-qfec", command, "/dev/null"], {
    cwd: options.cwd,
    env: { ...options.env, SHELL: "/bin/bash" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  return { ...readOutput(child), type: (text) => void child.stdin.write(text) };
}
