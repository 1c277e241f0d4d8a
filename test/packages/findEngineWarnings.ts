import { execFileSync } from "node:child_process";

/** The oldest Node.js that the README allows for npm. */
const oldest = "v20.19.0";
const pretending = `data:text/javascript,${encodeURIComponent(
  `Object.defineProperty(process, "version", { value: ${JSON.stringify(oldest)} });`,
)}`;
const warned = /EBADENGINE\s+package: '([^']+)'/g;

/**
 * Lists the packages, as `name@version`, that npm on Node 20 warns about when it installs the lock file of a folder.
 */
export function findEngineWarnings(folder: string): string[] {
  const command = "npm ci --dry-run --ignore-scripts --no-audit --no-fund --loglevel=warn 2>&1";
  const written = execFileSync("sh", ["-c", command], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: `--import=${pretending}` },
    maxBuffer: 2 ** 26,
  });
  return Array.from(written.matchAll(warned), ([, name = ""]) => name);
}
