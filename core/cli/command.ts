import { existsSync, readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  type Config,
  flagOf,
  type GivenSettings,
  messageOf,
  nearestName,
  packageVersion,
  readConfig,
  settings,
  untilStopped,
} from "../base/index.ts";
import type { Host } from "../host.ts";
import { handleClosedOutput } from "./closedOutput.ts";
import { commands } from "./commands.ts";
import { fitHelp } from "./fitHelp.ts";
import { presentLink } from "./presentLink.ts";

const members = Object.keys(settings) as (keyof Config)[];
const flagMembers = members.filter((member) => !settings[member].secret);

/** Columns for the variable and the flag of a setting in the help. Longer names have a line of their own. */
const namesWidth = 50;

const serveUsage = [
  "manifold [serve] [flags]   starts the host; without a terminal, the word serve is required",
];

/** Returns the help of one command, or the help of all commands if `command` is unknown. */
async function usage(command = ""): Promise<string> {
  const rows = members.flatMap((member) => {
    const { variable, meaning, shownDefault, secret } = settings[member];
    const flag = secret ? "(no flag)" : flagOf(member);
    const names = `  ${variable.padEnd(27)} ${flag.padEnd(20)}`;
    const text = `${meaning} [${shownDefault}]`;
    return names.length > namesWidth
      ? [names.trimEnd(), `${" ".repeat(namesWidth + 1)}${text}`]
      : [`${names} ${text}`];
  });
  const serveSettings = ["", "Settings of serve (environment variable or flag):", ...rows];
  if (command === "serve") return fitHelp([...serveUsage, ...serveSettings]).join("\n");
  if (Object.hasOwn(commands, command)) return fitHelp(await commands[command]!.usage()).join("\n");
  const sections = new Set(Object.values(commands).map((each) => each.usage));
  const lines = await Promise.all([...sections].map((section) => section()));
  return fitHelp([...serveUsage, ...lines.flat(), ...serveSettings]).join("\n");
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
  const isHelp = args.includes("--help");
  if (command === "serve" && !isHelp) return serve(args);
  if (command !== undefined && Object.hasOwn(commands, command) && !isHelp) {
    const status = await commands[command]!.run(args, {
      environment: process.env,
      write: (line) => void process.stdout.write(`${line}\n`),
      writeText: (text) => void process.stdout.write(text),
      note: (line) => void process.stderr.write(`${line}\n`),
      outputClosed,
    });
    if (status !== undefined) process.exitCode = status;
    return;
  }
  if (command === "--version") return void process.stdout.write(`${packageVersion()}\n`);
  const names = ["serve", ...Object.keys(commands)];
  const asksForHelp = command === "help" || command === "--help";
  if (asksForHelp || (command !== undefined && names.includes(command)))
    return void process.stdout.write(`${await usage(command)}\n`);
  if (command === undefined) {
    process.stdout.write(`${await usage()}\n`);
    process.stderr.write(
      "\nmanifold: without a terminal, a command is required; to start the host, use manifold serve\n",
    );
  } else process.stderr.write(`${unknownCommand(command, names)}\n`);
  process.exitCode = 2;
}

/** Returns two lines about a command that does not exist. */
function unknownCommand(command: string, names: readonly string[]): string {
  const nearest = nearestName(command, names);
  const guess = nearest === undefined ? "" : `; did you mean manifold ${nearest}?`;
  return `manifold: unknown command ${JSON.stringify(command)}${guess}\nmanifold --help lists all commands`;
}

/** Returns two lines about an option that a command does not have; undefined for other failures. */
async function unknownOption(
  failure: unknown,
  given: readonly string[],
): Promise<string | undefined> {
  // The parser's own message also explains positional arguments, which is no help here.
  const [, option] = /^Unknown option '(-[^']*)'/.exec(messageOf(failure)) ?? [];
  if (option === undefined) return undefined;
  const [command = "serve"] = withCommand(given);
  const options = (await usage(command)).match(/(?<![\w-])--[a-z][a-z-]*/g) ?? [];
  const nearest = nearestName(option, new Set(options));
  const guess = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return `unknown option ${option} of manifold ${command}${guess}\nmanifold ${command} --help lists all options`;
}

/**
 * Runs `manifold` with its arguments. If it fails, prints a message and exits with status 1, or with 2 for an unknown
 * command or option. Commands that run indefinitely also stop when their standard output is closed.
 */
export async function runCommand(args: string[]): Promise<void> {
  const outputClosed = handleClosedOutput();
  try {
    await run(args, outputClosed);
  } catch (failure) {
    const mistake = await unknownOption(failure, args);
    process.stderr.write(`manifold: ${mistake ?? messageOf(failure)}\n`);
    process.exit(mistake === undefined ? 1 : 2);
  }
}
