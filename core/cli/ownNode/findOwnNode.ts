import { existsSync } from "node:fs";
import { join } from "node:path";
import { findNpm } from "./findNpm.ts";
import { installNode, programFile } from "./installNode.ts";
import { leastMajor } from "./needsOwnNode.ts";
import { nodeFolder } from "./nodeFolder.ts";
import { downloadMb, installedMb, type NodePackage, nodePackages } from "./nodePackages.ts";

/** An installed Node.js that can run the command. */
export interface OwnNode {
  /** The path of the Node.js program. */
  readonly program: string;
  /** The JavaScript file of npm, if it was found. */
  readonly npm: string | undefined;
}

export interface FindOwnNodeOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The version of the running Node.js. */
  readonly version: string;
  /** Writes a message for the user. */
  readonly note: (line: string) => void;
  /** The platform of this machine, such as `linux-x64`. */
  readonly platform?: string;
  readonly packages?: Readonly<Record<string, NodePackage>>;
}

/**
 * Returns the Node.js that the command installs for its own use. The first call installs it in the user's cache folder.
 * @throws {Error} that says what to do instead, if Node.js does not exist for this platform or could not be installed
 */
export async function findOwnNode(options: FindOwnNodeOptions): Promise<OwnNode> {
  const { environment, version, note, platform = platformOfMachine() } = options;
  const { packages = nodePackages } = options;
  const needed = `manifold needs Node ${leastMajor} or newer, but this is Node ${version}.`;
  const byHand = `Install Node ${leastMajor} or newer from https://nodejs.org, put it first on the PATH, and start again`;
  const nodePackage = packages[platform];
  if (!nodePackage)
    throw new Error(`${needed} npm has no Node for this platform (${platform}). ${byHand}`);
  const npm = findNpm(environment);
  const folder = nodeFolder(environment);
  const name = `${nodePackage.version}-${platform}`;
  const program = join(folder, name, programFile);
  if (existsSync(program)) return { program, npm };
  if (npm === undefined)
    throw new Error(`${needed} It can install its own, but found no npm. ${byHand}`);
  note(
    `${needed}\nInstalling Node ${nodePackage.version} for manifold only, in ${join(folder, name)} (once; about ${downloadMb} MB to download, ${installedMb} MB on disk) ...`,
  );
  try {
    await installNode({ nodePackage, folder, name, npm, environment });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${reason}\nConnect this machine to the npm registry and start again. Or: ${lowerFirst(byHand)}`,
      { cause },
    );
  }
  note(`Node ${nodePackage.version} is installed.`);
  return { program, npm };
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Returns the platform of this machine. The packages contain programs for glibc, which musl cannot run. */
function platformOfMachine(): string {
  const platform = `${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return platform;
  const { header }: { readonly header?: { readonly glibcVersionRuntime?: string } } = Object(
    process.report.getReport(),
  );
  return header?.glibcVersionRuntime === undefined ? `${platform}-musl` : platform;
}
