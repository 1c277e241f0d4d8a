import { randomBytes } from "node:crypto";
import { access, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Cipher, createCipher, deriveKey } from "./cipher.ts";

export interface HostSecretOptions {
  /** The value of MANIFOLD_SECRET. */
  readonly secret: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
}

export interface HostSecretsOptions extends HostSecretOptions {
  /** MANIFOLD_SECRET_PREVIOUS: the former secret. */
  readonly secretPrevious?: string | undefined;
  /** MANIFOLD_SECRET_NEXT: the future secret, for hosts that do not seal with it yet. */
  readonly secretNext?: string | undefined;
}

/**
 * Creates the cipher from the settings. The cipher seals with the host's secret, and can also open strings that were
 * sealed with the previous or the next secret.
 * @throws {Error} as in `readHostSecret`, and for a secret that is too short
 */
export async function openCipher(options: HostSecretsOptions): Promise<Cipher> {
  const { secretPrevious, secretNext } = options;
  const others = [secretPrevious, secretNext].filter((each) => each !== undefined);
  const secret = await readHostSecret(options);
  await Promise.all([secret, ...others].map(deriveKey));
  return createCipher(secret, others);
}

/**
 * Returns the secret for `createCipher`. If none is given, the embedded catalog gets a secret that is created once in
 * `<dataDir>/secret` (mode 0600), together with the catalog.
 * @throws {Error} if no secret is given and the catalog is not embedded or already exists without a secret
 */
export async function readHostSecret({
  secret,
  databaseUrl,
  dataDir,
}: HostSecretOptions): Promise<string> {
  if (secret) return secret;
  if (databaseUrl)
    throw new Error(
      "MANIFOLD_SECRET is required with DATABASE_URL, because it encrypts the secrets of connections; create one with `openssl rand -base64 32` and keep it",
    );
  const file = join(dataDir, "secret");
  const read = () =>
    readFile(file, "utf8").catch((failure: NodeJS.ErrnoException) => {
      if (failure.code === "ENOENT") return undefined;
      throw failure;
    });
  const kept = await read();
  if (kept) return kept.trim();
  if (await isThere(join(dataDir, "catalog")))
    throw new Error(
      `${dataDir} has a catalog but no secret: set MANIFOLD_SECRET to the secret of earlier starts, or restore the file ${file}. If the secret is lost, write a new one into that file, such as the output of \`openssl rand -base64 32\`, and enter the passwords of connections again`,
    );
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
  // Linking fails if another start was faster. The secret of that start is then used.
  await link(draft, file).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code !== "EEXIST") throw failure;
  });
  await rm(draft);
  return ((await read()) ?? "").trim();
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
