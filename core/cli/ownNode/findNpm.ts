import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";

const program = "npm-cli.js";

/**
 * Finds the JavaScript file of npm: of the npm that started this process, next to the running Node.js, or on the PATH.
 * Undefined if there is none.
 */
export function findNpm(
  environment: Readonly<Record<string, string | undefined>>,
  nodePath = process.execPath,
): string | undefined {
  const besideNode = dirname(nodePath);
  const onPath = (environment["PATH"] ?? "").split(delimiter).filter(Boolean);
  const places = [
    // pnpm and yarn set this variable to their own file.
    environment["npm_execpath"] ?? "",
    join(besideNode, "../lib/node_modules/npm/bin", program),
    ...[besideNode, ...onPath].map((folder) => join(folder, "npm")),
  ];
  for (const place of places) {
    if (place === "" || !existsSync(place)) continue;
    // The command `npm` is usually a link to this file.
    const file = realpathSync(place);
    if (basename(file) === program) return file;
  }
  return undefined;
}
