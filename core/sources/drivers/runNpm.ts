import { spawn } from "node:child_process";
import type { NpmCommand } from "./findNpm.ts";

/** Maximum duration of an installation, in milliseconds. */
const installMs = 10 * 60_000;
const lastLines = 5;

/**
 * Variables that npm gets: those of its own settings, of proxies, certificates and folders, and the two variables that
 * an .npmrc usually names for the token of a registry. npm does not get the host's settings, which contain secrets.
 */
const passed =
  /^(path|home|userprofile|appdata|localappdata|systemroot|temp|tmp|tmpdir|lang|xdg_.*|npm_(config_.*|token)|node_auth_token|(https?_|no_|all_)?proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i;

export interface NpmRun {
  readonly npm: NpmCommand;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Installs the packages of a folder's lock file, without running their scripts. npm compares each package with the hash
 * in the lock file.
 * @throws {Error} with the last lines that npm wrote, if it fails or takes longer than ten minutes
 */
export async function runNpm({ npm, folder, environment, signal }: NpmRun): Promise<void> {
  const flags = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
  const alone = ["--workspaces=false", "--global=false", "--omit=dev", "--include=optional"];
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => passed.test(name)));
  const child = spawn(npm.file, [...npm.args, "ci", ...flags, ...alone], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.any([signal, AbortSignal.timeout(installMs)]),
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      written = (written + text).slice(-4_000);
    });
  const ended = Promise.withResolvers<void>();
  let failure: unknown;
  child.once("error", (thrown) => {
    failure = thrown;
    // A killed npm may still write until it has ended, so its folder must not be removed before.
    if (child.pid === undefined) ended.reject(thrown);
  });
  child.once("close", (code) => {
    if (failure !== undefined) return ended.reject(failure);
    const lines = written.trim().split("\n").slice(-lastLines).join("; ");
    if (code === 0) ended.resolve();
    else ended.reject(new Error(`npm ended with status ${code}: ${lines}`));
  });
  await ended.promise;
}
