import crypto, { type BinaryLike, type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const divisor = 1_024;
/** The default cost parameter N of scrypt. */
const usualN = 16_384;

const { scrypt, scryptSync } = crypto;

const cheaper = (options: ScryptOptions = {}): ScryptOptions => {
  const { N, cost, ...others } = options;
  return { ...others, N: Math.max(2, (N ?? cost ?? usualN) / divisor) };
};

const cheap = {
  scrypt: (
    password: BinaryLike,
    salt: BinaryLike,
    length: number,
    options: ScryptOptions,
    done: (failure: Error | null, key: Buffer) => void,
  ) => scrypt(password, salt, length, cheaper(options), done),
  scryptSync: (password: BinaryLike, salt: BinaryLike, length: number, options?: ScryptOptions) =>
    scryptSync(password, salt, length, cheaper(options)),
};

function use(hashes: Pick<typeof crypto, "scrypt" | "scryptSync"> | typeof cheap): void {
  Object.assign(crypto, hashes);
  // Named imports of `scrypt` refer to the replaced function only after this call.
  syncBuiltinESMExports();
}

let isCheap = false;

/** Makes scrypt use 1/1,024 of the requested memory and time in this process. The product has no such setting. */
export function useCheapHashes(): void {
  isCheap = true;
  use(cheap);
}

/** Restores the full cost of scrypt while `run` runs, for tests that depend on this cost. */
export async function withProductionHashes<Result>(run: () => Promise<Result>): Promise<Result> {
  use({ scrypt, scryptSync });
  try {
    return await run();
  } finally {
    if (isCheap) use(cheap);
  }
}
