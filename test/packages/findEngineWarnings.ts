import { execFileSync } from "node:child_process";

/** The oldest Node.js version that the README allows for running npm. */
const oldest = "v20.19.0";
const pretending = `data:text/javascript,${encodeURIComponent(
  `Object.defineProperty(process, "version", { value: ${JSON.stringify(oldest)} });`,
)}`;
const warned = /EBADENGINE\s+package: '([^']+)'/g;

/**
 * Lists, as `name@version`, the packages that cause a warning when npm on Node 20 installs from a folder's lock file.
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
