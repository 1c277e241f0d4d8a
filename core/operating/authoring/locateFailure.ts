import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** How long the search for the place of a syntax error may take, in milliseconds. */
const searchMs = 20_000;

/**
 * Describes a failure to load a plugin, with the file, line and column if they are known, such as
 * `/plugins/trips/plugin.ts:3:6: SyntaxError: …`. `url` is the file that was imported.
 */
export function describeLoadFailure(failure: unknown, url: string): string {
  if (!(failure instanceof Error)) return String(failure);
  const { name, message, stack = "" } = failure;
  const isSyntax = failure instanceof SyntaxError;
  const text = isSyntax && /strip-only/.test(message) ? `${message}; ${erasable}` : message;
  const place = placeInExcerpt(stack) ?? (isSyntax ? searchPlace(url) : placeInStack(stack));
  return place === undefined ? `${name}: ${text}` : `${place}: ${name}: ${text}`;
}

const erasable =
  "Node runs a plugin's TypeScript without compiling it, so write a union of strings instead of an enum, and fields instead of parameter properties and namespaces";

/** Finds the place in the excerpt of the source that Node writes before the message of a syntax error. */
function placeInExcerpt(text: string): string | undefined {
  const [, file, line, excerpt = ""] =
    /^(file:\/\/\S+|\/[^\n]*|[A-Za-z]:\\[^\n]*):(\d+)\n([^]*?)\n(?=\n|\w*Error)/m.exec(text) ?? [];
  if (file === undefined || line === undefined) return undefined;
  const [, indent] = /^([ \t]*)\^+[ \t]*$/m.exec(excerpt) ?? [];
  return placeOf(file, line, indent === undefined ? "1" : String(indent.length + 1));
}

/** Finds the first line of a stack trace that names a file of the author. */
function placeInStack(stack: string): string | undefined {
  const frames = stack.matchAll(/(file:\/\/[^\s()]+):(\d+):(\d+)/g);
  for (const [, file = "", line = "", column = ""] of frames)
    if (!file.includes("/node_modules/") && !isOwnFile(file)) return placeOf(file, line, column);
  return undefined;
}

/** Returns whether a file belongs to this package, which is outside `node_modules` in a clone. */
const isOwnFile = (file: string): boolean =>
  file.startsWith(new URL("../../../core/", import.meta.url).href) ||
  file.startsWith(new URL("../../../plugins/", import.meta.url).href);

const placeOf = (file: string, line: string, column: string): string =>
  `${file.startsWith("file:") ? fileURLToPath(file) : file}:${line}:${column}`;

/**
 * Finds the place of a syntax error in JavaScript by importing the file in another process. Node reports the place only
 * when the error ends its process. A file with such an error is not executed.
 */
function searchPlace(url: string): string | undefined {
  const script = `import ${JSON.stringify(url)};`;
  const flags = process.execArgv.filter((flag) => flag.startsWith("--conditions"));
  const args = [...flags, "--input-type=module", "--eval", script];
  const { stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: searchMs });
  return placeInExcerpt(stderr);
}
