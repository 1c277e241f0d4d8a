import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";

/** A program with the arguments that come before those of npm. */
export interface NpmCommand {
  readonly file: string;
  readonly args: readonly string[];
}

export interface NpmPlaces {
  /** Path of the Node.js program that runs the host. */
  readonly execPath: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds npm: the npm that started the host, then the npm that came with the host's Node.js, then the PATH. Returns
 * undefined if there is none. Never starts a shell.
 */
export function findNpm({ execPath, environment }: NpmPlaces): NpmCommand | undefined {
  const started = environment["npm_execpath"] ?? "";
  const places = [execPath, existsSync(execPath) ? realpathSync(execPath) : execPath].flatMap(
    (program) => [
      join(dirname(program), "../lib/node_modules/npm/bin/npm-cli.js"),
      join(dirname(program), "node_modules/npm/bin/npm-cli.js"),
    ],
  );
  const scripts = [...(basename(started) === "npm-cli.js" ? [started] : []), ...places];
  const script = scripts.find((path) => existsSync(path));
  if (script !== undefined) return { file: execPath, args: [script] };
  for (const folder of (environment["PATH"] ?? "").split(delimiter)) {
    if (folder === "") continue;
    const program = join(folder, "npm");
    const beside = join(folder, "node_modules/npm/bin/npm-cli.js");
    // On Windows, npm on the PATH is a script for a shell, next to the npm of that Node.js.
    if (existsSync(beside)) return { file: execPath, args: [beside] };
    if (process.platform !== "win32" && existsSync(program)) return { file: program, args: [] };
  }
  return undefined;
}
