import { constants, setPriority } from "node:os";
import { parseArgs } from "node:util";
import {
  type Config,
  flagOf,
  messageOf,
  packageVersion,
  readConfig,
  settings,
  untilStopped,
} from "../base/index.ts";
import type { HostOptions } from "../host.ts";

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
  const { quotaUsage } = await import("./runQuotaCommand.ts");
  const { backupUsage } = await import("../operating/backup/index.ts");
  const { moveUsage } = await import("../operating/move/index.ts");
  const { doctorUsage } = await import("../operating/doctor/index.ts");
  const { secretUsage } = await import("../operating/secrets/index.ts");
  const serveUsage = ["manifold serve [flags]     starts the host"];
  const rows = members.map((member) => {
    const { variable, meaning, shownDefault, secret } = settings[member];
    const flag = secret ? "(no flag)" : flagOf(member);
    return `  ${variable.padEnd(27)} ${flag.padEnd(20)} ${meaning} [${shownDefault}]`;
  });
  const serveSettings = ["", "Settings of serve, as environment variable or flag:", ...rows];
  const sections: readonly (readonly string[])[] = [
    serveUsage,
    transferUsage,
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
  ];
  const own = sections.find((lines) =>
    lines.some((line) => line.startsWith(`manifold ${command} `)),
  );
  if (command === "serve" || !own)
    return [...(own ?? sections.flat()), ...serveSettings].join("\n");
  return own.join("\n");
}

function readFlags(args: string[]): HostOptions {
  const { values } = parseArgs({
    args,
    options: Object.fromEntries(
      flagMembers.map((member) => [flagOf(member).slice(2), { type: "string" as const }]),
    ),
  });
  return Object.fromEntries(flagMembers.map((member) => [member, values[flagOf(member).slice(2)]]));
}

async function serve(args: string[]): Promise<void> {
  const stopped = untilStopped();
  const flags = readFlags(args);
  // Settings are checked first, so that invalid ones fail before other modules are loaded.
  readConfig(flags);
  // The host is loaded here, because the other commands do not need its 1,800 modules.
  const { openHost } = await import("../host.ts");
  const host = await openHost(flags);
  if (host.madeCredentials) {
    const { key, token } = host.madeCredentials;
    process.stdout.write(
      `\nThe owner's API key pair, shown only this once:\n  key   ${key}\n  token ${token}\n\n`,
    );
    const link = await host.createSignInLink({ key, token });
    process.stdout.write(
      `Open the console, signed in as the owner (works once, within an hour, on this machine):\n  ${link}\n\n`,
    );
  }
  process.stdout.write(`Manifold listens on ${host.url}\n`);
  await stopped;
  await host.close();
  process.exit(0);
}

async function run([command, ...args]: string[]): Promise<void> {
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
  if (command === "quota" && !args.includes("--help")) {
    const { runQuotaCommand } = await import("./runQuotaCommand.ts");
    return runQuotaCommand(args, process.env, (line) => void process.stdout.write(`${line}\n`));
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
    "jobs",
    "audit",
    "plugin",
    "verify-isolation",
    "owner",
    "quota",
    "backup",
    "restore",
    "move",
    "doctor",
    "secret",
  ].includes(command ?? "");
  if (isCommand) return;
  if (command !== undefined)
    process.stderr.write(
      `\nmanifold: unknown command ${JSON.stringify(command)}; the commands are listed above\n`,
    );
  process.exitCode = 2;
}

/** Runs `manifold` with its arguments. If it fails, prints a one-line message and exits with status 1. */
export async function runCommand(args: string[]): Promise<void> {
  try {
    await run(args);
  } catch (failure) {
    process.stderr.write(`manifold: ${messageOf(failure)}\n`);
    process.exit(1);
  }
}
