import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A script that takes the place of npm and installs a package with one module, and the lock files of a driver. */
export interface PlantedNpm {
  readonly folder: string;
  readonly dataDir: string;
  readonly lockFolder: string;
  /** The environment of a host that finds this npm. It contains a secret that npm must not see. */
  readonly environment: Readonly<Record<string, string>>;
  /** Makes the script wait until the function that this call returns is called. */
  hold(): () => void;
  fails(message: string | undefined): void;
  /** Returns the arguments and the names of the variables of each run. */
  runs(): readonly { readonly args: readonly string[]; readonly variables: readonly string[] }[];
  remove(): void;
}

const script = `
  const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
  const { setTimeout: pause } = require("node:timers/promises");
  const run = { args: process.argv.slice(2), variables: Object.keys(process.env) };
  appendFileSync(__dirname + "/runs", JSON.stringify(run) + "\\n");
  (async () => {
    while (existsSync(__dirname + "/held")) await pause(5);
    if (existsSync(__dirname + "/fails")) {
      console.error(readFileSync(__dirname + "/fails", "utf8"));
      process.exit(1);
    }
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
    for (const [name, version] of Object.entries(dependencies)) {
      mkdirSync("node_modules/" + name, { recursive: true });
      writeFileSync("node_modules/" + name + "/package.json", JSON.stringify({ name, version }));
      writeFileSync("node_modules/" + name + "/index.js", "exports.isPlanted = true;");
    }
  })();
`;

/** Plants an npm in a temporary folder. `packageName` is the package that its lock file for the driver mysql names. */
export function plantNpm(packageName = "mysql2", version = "3.9.1"): PlantedNpm {
  const folder = mkdtempSync(join(tmpdir(), "manifold-drivers-"));
  const lockFolder = join(folder, "locks");
  mkdirSync(join(lockFolder, "mysql"), { recursive: true });
  const described = JSON.stringify({ dependencies: { [packageName]: version } });
  for (const file of ["package.json", "package-lock.json"])
    writeFileSync(join(lockFolder, "mysql", file), described);
  const npm = join(folder, "npm-cli.js");
  writeFileSync(npm, script);
  const set = (file: string, text: string | undefined) =>
    text === undefined
      ? rmSync(join(folder, file), { force: true })
      : writeFileSync(join(folder, file), text);
  return {
    folder,
    dataDir: join(folder, "data"),
    lockFolder,
    environment: { npm_execpath: npm, MANIFOLD_SECRET: "a-secret", HTTPS_PROXY: "http://proxy" },
    hold() {
      set("held", "");
      return () => set("held", undefined);
    },
    fails: (message) => set("fails", message),
    runs() {
      if (!existsSync(join(folder, "runs"))) return [];
      // The file exists before its first line does.
      const lines = readFileSync(join(folder, "runs"), "utf8").split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
