import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

type Environment = Readonly<Record<string, string | undefined>>;

/** The secrets of the tokens by key, and the key pair of their issuer. */
export interface Secrets {
  readonly byKey: ReadonlyMap<string, string>;
  readonly admin: { readonly key: string; readonly token: string } | undefined;
}

const mostBytes = 64 * 1_024;

/**
 * Reads secrets from the environment and from a file of lines `KEY TOKEN` (`-` is the standard input). The secrets are
 * never read from the command line, because every user of the machine can list command lines. A line `issuer KEY TOKEN`
 * contains the key pair of the issuer.
 * @throws {Error} for a line in another format; no message contains a line of the file
 */
export async function readSecrets(
  file: string | undefined,
  keys: readonly [string, string],
  environment: Environment,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<Secrets> {
  const byKey = new Map<string, string>();
  const ofEnvironment = ["MANIFOLD_TOKEN_A", "MANIFOLD_TOKEN_B"] as const;
  for (const [index, name] of ofEnvironment.entries()) {
    const secret = environment[name];
    if (secret) byKey.set(keys[index]!.toLowerCase(), secret);
  }
  const [key, token] = [environment["MANIFOLD_KEY"], environment["MANIFOLD_TOKEN"]];
  let admin = key && token ? { key, token } : undefined;
  if (file === undefined) return { byKey, admin };
  const given = file === "-" ? await text(input) : await readFile(file, "utf8");
  if (given.length > mostBytes) throw new Error(`--secrets has more than ${mostBytes} characters`);
  for (const [index, line] of given.split("\n").entries()) {
    const words = line.trim().split(/\s+/);
    if (words[0] === "" || words[0]?.startsWith("#")) continue;
    const isIssuer = words[0] === "issuer";
    const [of, secret, ...others] = isIssuer ? words.slice(1) : words;
    if (of === undefined || secret === undefined || others.length > 0)
      throw new Error(`line ${index + 1} of --secrets must be KEY TOKEN or issuer KEY TOKEN`);
    if (isIssuer) admin = { key: of, token: secret };
    else byKey.set(of.toLowerCase(), secret);
  }
  return { byKey, admin };
}
