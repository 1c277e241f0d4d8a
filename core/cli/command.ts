import { existsSync, readdirSync, statSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  type Config,
  flagOf,
  type GivenSettings,
  messageOf,
  packageVersion,
  readConfig,
  settings,
  untilStopped,
} from "../base/index.ts";
import type { Host } from "../host.ts";
import { handleClosedOutput } from "./closedOutput.ts";
import { presentLink } from "./presentLink.ts";

const members = Object.keys(settings) as (keyof Config)[];
const flagMembers = members.filter((member) => !settings[member].secret);

/** Returns the help of one command, or the help of all commands if `command` is unknown. */
async function usage(command = ""): Promise<string> {
  const { transferUsage } = await import("../operating/transfer/index.ts");
  const { jobsUsage } = await import("./runJobsCommand.ts");
  const { auditUsage } = await import("./runAuditCommand.ts");
  const { pluginUsage } = await import("../operating/authoring/index.ts");
  const { isolationUsage } = await import("../operating/isolation/index.ts");
  const { ownerUsage } = await import("./runOwnerCommand.ts");
  const { openUsage } = await import("./runOpenCommand.ts");
  const { quotaUsage } = await import("./runQuotaCommand.ts");
  const { backupUsage } = await import("../operating/backup/index.ts");
  const { moveUsage } = await import("../operating/move/index.ts");
  const { doctorUsage } = await import("../operating/doctor/index.ts");
  const { secretUsage } = await import("../operating/secrets/index.ts");
  const { uploadUsage } = await import("./runUploadCommand.ts");
  const { installUsage } = await import("./runInstallCommand.ts");
  const serveUsage = [
    "manifold [serve] [flags]   starts the host; without a terminal, the word serve is required",
  ];
  const rows = members.map((member) => {
    const { variable, meaning, shownDefault, secret } = settings[member];
    const flag = secret ? "(no flag)" : flagOf(member);
    return `  ${variable.padEnd(27)} ${flag.padEnd(20)} ${meaning} [${shownDefault}]`;
  });
  const serveSettings = ["", "Settings of serve (environment variable or flag):", ...rows];
  const sections: readonly (readonly string[])[] = [
    serveUsage,
    openUsage,
    transferUsage,
    uploadUsage,
    jobsUsage,
    auditUsage,
    pluginUsage,
    isolationUsage,
    ownerUsage,
    quotaUsage,
    backupUsage,
    moveUsage,
    doctorUsage,
    secretUsage,
    installUsage,
  ];
  const own = sections.find((lines) =>
    lines.some((line) => line.startsWith(`manifold ${command} `)),
  );
  if (command === "serve" || !own)
    return [...(own ?? sections.flat()), ...serveSettings].join("\n");
  return own.join("\n");
}

function readFlags(args: string[]): GivenSettings {
  const { values } = parseArgs({
    args,
    options: Object.fromEntries(
      flagMembers.map((member) => [flagOf(member).slice(2), { type: "string" as const }]),
    ),
  });
  return Object.fromEntries(flagMembers.map((member) => [member, values[flagOf(member).slice(2)]]));
}

/** Returns a line with the absolute path of the data folder, and whether the folder is new. */
function presentFolder(dataDir: string): string {
  const path = resolve(dataDir);
  const isEmpty = () => statSync(path).isDirectory() && readdirSync(path).length === 0;
  const isNew = !existsSync(path) || isEmpty();
  return isNew
    ? `Data in ${path} (a new data folder; MANIFOLD_DATA_DIR or --data-dir selects another)`
    : `Data in ${path}`;
}

/** Returns the lines with a link for the first owner, or with the reason why there is none. */
async function linkLines(host: Host): Promise<readonly string[]> {
  try {
    return [...presentLink(await host.createOwnerLink()), ""];
  } catch (failure) {
    return [`No sign-in link was created: ${messageOf(failure)}`, ""];
  }
}

async function serve(args: string[]): Promise<void> {
  const stopped = untilStopped();
  const flags = readFlags(args);
  // Settings are checked first, so that invalid ones fail before other modules are loaded.
  const { dataDir } = readConfig(flags);
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  write(presentFolder(dataDir));
  // The host is imported only here, because the other commands do not need its 1,800 modules.
  const { openHost } = await import("../host.ts");
  const host = await openHost(flags);
  if (host.madeCredentials) {
    const { key, token } = host.madeCredentials;
    write(`\nThe owner's API key pair, shown only once:\n  key   ${key}\n  token ${token}\n`);
  }
  // A link is a credential, so it must not get into the log of a service. At the first start, the key pair does as
  // well.
  if (host.madeCredentials || process.stdout.isTTY)
    for (const line of await linkLines(host)) write(line);
  write(`Manifold listens on ${host.url}`);
  await stopped;
  await host.close();
  process.exit(0);
}

/**
 * Returns the arguments, with the command `serve` added if the first argument is a flag of `serve`, or if there are no
 * arguments and the output is a terminal.
 */
function withCommand(args: readonly string[]): readonly string[] {
  const [first] = args;
  if (first === undefined) return process.stdout.isTTY ? ["serve"] : [];
  const isFlagOfServe = first.startsWith("-") && !["--help", "--version"].includes(first);
  return isFlagOfServe ? ["serve", ...args] : args;
}

async function run(given: readonly string[], outputClosed: Promise<void>): Promise<void> {
  const [command, ...args] = withCommand(given);
  if (command === "serve" && !args.includes("--help")) return serve(args);
  if ((command === "export" || command === "apply") && !args.includes("--help")) {
    const { runTransfer } = await import("../operating/transfer/index.ts");
    const write = (line: string) => void process.stdout.write(`${line}\n`);
    return runTransfer(command, args, process.env, write);
  }
  if (command === "jobs" && !args.includes("--help")) {
    const { runJobsCommand } = await import("./runJobsCommand.ts");
    return runJobsCommand(args, process.env, (line) => void process.stdout.write(`${line}\n`));
  }
  if (command === "owner" && !args.includes("--help")) {
    const { runOwnerCommand } = await import("./runOwnerCommand.ts");
    return runOwnerCommand(args, process.env, (line) => void process.stdout.write(`${line}\n`));
  }
  if (command === "open" && !args.includes("--help")) {
    const { runOpenCommand } = await import("./runOpenCommand.ts");
    return runOpenCommand(args, process.env, (line) => void process.stdout.write(`${line}\n`));
  }
  if (command === "quota" && !args.includes("--help")) {
    const { runQuotaCommand } = await import("./runQuotaCommand.ts");
    return runQuotaCommand(args, process.env, (line) => void process.stdout.write(`${line}\n`));
  }
  if (command === "install" && !args.includes("--help")) {
    const { runInstallCommand } = await import("./runInstallCommand.ts");
    return runInstallCommand(args, process.env, (line) => void process.stdout.write(`${line}\n`));
  }
  if (command === "upload" && !args.includes("--help")) {
    const { runUploadCommand } = await import("./runUploadCommand.ts");
    process.exitCode = await runUploadCommand(args, {
      environment: process.env,
      write: (line) => void process.stdout.write(`${line}\n`),
      note: (line) => void process.stderr.write(`${line}\n`),
    });
    return;
  }
  if (command === "audit" && !args.includes("--help")) {
    const { runAuditCommand } = await import("./runAuditCommand.ts");
    const write = (line: string) => void process.stdout.write(`${line}\n`);
    process.exitCode = await runAuditCommand(args, { environment: process.env, write });
    return;
  }
  if (command === "plugin" && !args.includes("--help")) {
    const { runPluginCommand } = await import("../operating/authoring/index.ts");
    process.exitCode = await runPluginCommand(args, {
      environment: process.env,
      write: (line) => void process.stdout.write(`${line}\n`),
      note: (line) => void process.stderr.write(`${line}\n`),
      outputClosed,
    });
    return;
  }
  if (command === "verify-isolation" && !args.includes("--help")) {
    const { runVerifyIsolation } = await import("../operating/isolation/index.ts");
    process.exitCode = await runVerifyIsolation(args, {
      environment: process.env,
      write: (text) => void process.stdout.write(text),
      note: (line) => void process.stderr.write(`${line}\n`),
    });
    return;
  }
  if ((command === "backup" || command === "restore") && !args.includes("--help")) {
    const { runBackupCommand, runRestoreCommand } = await import("../operating/backup/index.ts");
    // A running host takes priority over a backup.
    if (command === "backup") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    return (command === "backup" ? runBackupCommand : runRestoreCommand)(args, {
      environment: process.env,
      write: (line) => void process.stdout.write(`${line}\n`),
      note: (line) => void process.stderr.write(`${line}\n`),
    });
  }
  if (command === "move" && !args.includes("--help")) {
    const { runMoveCommand } = await import("../operating/move/index.ts");
    process.exitCode = await runMoveCommand(args, {
      environment: process.env,
      write: (line) => void process.stdout.write(`${line}\n`),
    });
    return;
  }
  if (command === "secret" && !args.includes("--help")) {
    const { runSecretCommand } = await import("../operating/secrets/index.ts");
    process.exitCode = await runSecretCommand(args, {
      environment: process.env,
      write: (line) => void process.stdout.write(`${line}\n`),
    });
    return;
  }
  if (command === "doctor" && !args.includes("--help")) {
    const { runDoctor } = await import("../operating/doctor/index.ts");
    process.exitCode = await runDoctor(args, {
      environment: process.env,
      write: (line) => void process.stdout.write(`${line}\n`),
    });
    return;
  }
  if (command === "--version") return void process.stdout.write(`${packageVersion()}\n`);
  process.stdout.write(`${await usage(command)}\n`);
  const isCommand = [
    "help",
    "--help",
    "serve",
    "export",
    "apply",
    "upload",
    "jobs",
    "audit",
    "plugin",
    "verify-isolation",
    "owner",
    "open",
    "quota",
    "backup",
    "restore",
    "move",
    "doctor",
    "secret",
    "install",
  ].includes(command ?? "");
  if (isCommand) return;
  process.stderr.write(
    command === undefined
      ? "\nmanifold: without a terminal, a command is required; to start the host, use manifold serve\n"
      : `\nmanifold: unknown command ${JSON.stringify(command)}; the commands are listed above\n`,
  );
  process.exitCode = 2;
}

/**
 * Runs `manifold` with its arguments. If it fails, prints a one-line message and exits with status 1. Commands that run
 * indefinitely also stop when their standard output is closed.
 */
export async function runCommand(args: string[]): Promise<void> {
  const outputClosed = handleClosedOutput();
  try {
    await run(args, outputClosed);
  } catch (failure) {
    process.stderr.write(`manifold: ${messageOf(failure)}\n`);
    process.exit(1);
  }
}
