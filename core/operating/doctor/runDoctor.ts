import { access } from "node:fs/promises";
import { parseArgs } from "node:util";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { openCatalog, openCipher } from "../../catalog/index.ts";
import { type Config, messageOf, readConfig } from "../../base/index.ts";
import { filesFolder, openInProcess } from "../../sources/index.ts";
import { requestHost } from "../operator/index.ts";
import { checkAccounts } from "./checks/checkAccounts.ts";
import { checkCatalog } from "./checks/checkCatalog.ts";
import { checkGranted, checkGrants } from "./checks/checkGrants.ts";
import { checkDisk } from "./checks/checkDisk.ts";
import { checkMachine } from "./checks/checkMachine.ts";
import { checkOutside } from "./checks/checkOutside.ts";
import { checkSecrets } from "./checks/checkSecrets.ts";
import { checkSettings } from "./checks/checkSettings.ts";
import { checkStore } from "./checks/checkStore.ts";
import { bad, type Diagnosis, good, weak } from "./diagnosis.ts";

/** The help of `manifold doctor`, one string per line. */
export const doctorUsage = [
  "manifold doctor            checks settings, disk, clocks, PostgreSQL, store, mail, certificate and secrets",
  "    Run it like the host: with the same environment, on the same machine. It changes nothing, and exits with 1",
  "    if something does not work. --data-dir names the host's folder",
] as const;

export interface DoctorCommand {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly write: (line: string) => void;
}

const State = Compile(
  Type.Object({
    url: Type.String(),
    readiness: Type.Record(Type.String(), Type.String()),
    databaseUrl: Type.String(),
  }),
);

const marks = { good: "ok  ", weak: "weak", bad: "BAD " };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Runs `manifold doctor`. It prints a line for each check, followed by the fix if the result is not `good`. Resolves to
 * the exit status.
 * @throws {Error} for an invalid argument or setting
 */
export async function runDoctor(args: readonly string[], command: DoctorCommand): Promise<number> {
  const { environment, write } = command;
  const { values } = parseArgs({ args: [...args], options: { "data-dir": { type: "string" } } });
  const config = readConfig({ dataDir: values["data-dir"] }, environment);
  const diagnoses = [
    ...checkSettings(config, environment),
    ...checkGrants(config),
    ...checkMachine(config),
    ...(await checkDisk(config.dataDir)),
    ...(await checkHost(config)),
    ...(await checkStore(config)),
    ...(await checkOutside(config)),
  ];
  const width = Math.max(...diagnoses.map(({ check }) => check.length));
  for (const { check, state, text, fix } of diagnoses) {
    write(`${marks[state]}  ${check.padEnd(width)}  ${text}`);
    if (fix !== undefined) write(`      ${" ".repeat(width)}  → ${fix}`);
  }
  const badCount = diagnoses.filter(({ state }) => state === "bad").length;
  const weakCount = diagnoses.filter(({ state }) => state === "weak").length;
  write(
    badCount + weakCount === 0
      ? `all ${diagnoses.length} checks passed`
      : `${badCount} bad, ${weakCount} weak, ${diagnoses.length - badCount - weakCount} good`,
  );
  return badCount > 0 ? 1 : 0;
}

/** Gets the state of a running host over its socket, or opens catalog and store of a stopped host. */
async function checkHost(config: Config): Promise<Diagnosis[]> {
  try {
    const host = await requestHost(config.dataDir, "state");
    if (!host) return await checkStopped(config);
    try {
      const { answer } = host;
      if (!State.Check(answer))
        return [weak("host", "the running host has another version", "restart it")];
      return [
        good("host", `runs at ${answer.url}`),
        ...Object.entries(answer.readiness).map(([part, state]) =>
          state === "ok"
            ? good("host", `${part} responds`)
            : bad("host", `${part} does not respond`, "see the log of the host"),
        ),
        ...(await checkDatabase(config, answer.databaseUrl)),
      ];
    } finally {
      await host.end();
    }
  } catch (failure) {
    return [
      bad("host", messageOf(failure), "fix this first; the checks that depend on it did not run"),
    ];
  }
}

async function checkStopped(config: Config): Promise<Diagnosis[]> {
  // Do not open a folder without a host, because opening it would create a host.
  if (!(await isThere(filesFolder(config.dataDir))))
    return [good("host", `has not been started on ${config.dataDir} yet`)];
  const plugins = await openInProcess({ ...config, warmUp: false });
  try {
    const store = plugins.plugins.get(config.store);
    const signal = AbortSignal.timeout(600_000);
    await store?.health?.({ signal });
    const datasets = (await store?.datasets({ credentials: { properties: {} }, signal })) ?? [];
    return [
      good("host", "does not run"),
      good("store", `${config.store} can be opened and has ${datasets.length} datasets`),
      ...(await checkDatabase(config, config.databaseUrl)),
    ];
  } finally {
    await plugins.close();
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function checkDatabase(
  config: Config,
  databaseUrl: string | undefined,
): Promise<readonly Diagnosis[]> {
  const { dataDir } = config;
  const cipher = await openCipher(config);
  const catalog = await openCatalog({ databaseUrl, dataDir, log: silent, keepsSchema: true });
  try {
    return [
      ...(await checkCatalog(catalog)),
      await checkSecrets(catalog, cipher),
      ...(await checkGranted(config, catalog.knex)),
      ...(await checkAccounts(catalog)),
    ];
  } finally {
    await catalog.close();
  }
}
