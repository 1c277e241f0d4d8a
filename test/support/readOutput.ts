import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** The output of a child process, to its standard output and its standard error. */
export interface Output {
  /** Returns everything written so far, without carriage returns. */
  text(): string;
  /**
   * Resolves to the first match of a pattern in the output. If the process ends without a match, rejects with the whole
   * output.
   */
  written(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves to the exit status when the process has ended; null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Starts to read the output of a child process. */
export function readOutput(child: ChildProcess): Output {
  const ended = once(child, "exit").then(([status]) => status as number | null);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString().replaceAll("\r", "");
      child.emit("written");
    });
  return {
    text: () => output,
    ended,
    async written(pattern) {
      for (;;) {
        const found = pattern.exec(output);
        if (found) return found;
        const isWritten = once(child, "written").then(() => true);
        if (!(await Promise.race([isWritten, ended.then(() => false)])))
          throw new Error(`the process ended: ${output}`);
      }
    },
  };
}
