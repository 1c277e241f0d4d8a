import crypto, { type BinaryLike, type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const divisor = 1_024;
/** N of a caller that gives none. */
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
  // Named imports of the module follow.
  syncBuiltinESMExports();
}

let isCheap = false;

/**
 * Has scrypt of this process take a 1,024th of the memory and time that its caller asks for. The product has no such
 * setting.
 */
export function useCheapHashes(): void {
  isCheap = true;
  use(cheap);
}

/** Has scrypt cost what its caller asks for until `run` has ended: for tests of those costs. */
export async function withProductionHashes<Result>(run: () => Promise<Result>): Promise<Result> {
  use({ scrypt, scryptSync });
  try {
    return await run();
  } finally {
    if (isCheap) use(cheap);
  }
}
