/** Oldest Node.js that runs the conformance kit, and with it a project's tests. */
export const leastNode = 26;

/**
 * Template of the program that starts a project's other programs. It is plain JavaScript for Node 20, because it runs
 * with the Node.js of the user. If that one is too old, it uses the one that the command `manifold` has installed.
 */
export const nodeTemplate = `// Runs Node.js with the given arguments. If this Node.js is too old for the conformance kit, runs the one that the
// command \`manifold\` has installed in the user's cache folder.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const majorOf = (version) => Number.parseInt(version, 10);

function findProgram() {
  if (majorOf(process.versions.node) >= ${leastNode}) return process.execPath;
  const manifold = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "manifold");
  const folders = [manifold, join(manifold, "node")];
  // A program in a folder that other users can change must not be run.
  const isOwn = (folder) => {
    const { uid, mode } = statSync(folder);
    return uid === (process.getuid?.() ?? uid) && (mode & 0o022) === 0;
  };
  if (!folders.every((folder) => existsSync(folder) && isOwn(folder))) return undefined;
  const platform = "-" + process.platform + "-" + process.arch;
  return readdirSync(folders[1])
    .filter((name) => name.endsWith(platform) && majorOf(name) >= ${leastNode})
    .map((name) => join(folders[1], name, "bin/node"))
    .find((path) => existsSync(path));
}

const program = findProgram();
if (program === undefined) {
  console.error(
    "This needs Node ${leastNode} or newer, not " +
      process.versions.node +
      ". Install it from https://nodejs.org, or run npx @manifold-analytics/host help once: it installs a Node ${leastNode} in your cache folder, which this project then uses.",
  );
  process.exit(2);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (failure) => {
  console.error(failure.message);
  process.exit(2);
});
child.on("exit", (status, signal) => {
  process.exit(status ?? (signal ? 1 : 0));
});
`;
