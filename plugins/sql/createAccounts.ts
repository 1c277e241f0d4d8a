import type { Credentials } from "../protocol/index.ts";
import type { Pool } from "./createPool.ts";
import { credentialsKey } from "./credentialsKey.ts";

/** The accounts of a driver, each with its own pool. */
export interface Accounts<Account> {
  /** Returns the account for these credentials, and creates it on their first use. */
  of(credentials: Credentials): Account;
  /** Closes the pool of credentials that are no longer used. */
  release(credentials: Credentials): Promise<void>;
  /** Closes all pools. */
  close(): Promise<void>;
}

/** Creates an empty set of accounts. Equal credentials share an account. */
export function createAccounts<Account extends { readonly pool: Pick<Pool<unknown>, "close"> }>(
  make: (credentials: Credentials) => Account,
): Accounts<Account> {
  const accounts = new Map<string, Account>();
  return {
    of(credentials) {
      const key = credentialsKey(credentials);
      const known = accounts.get(key);
      if (known) return known;
      const account = make(credentials);
      accounts.set(key, account);
      return account;
    },
    async release(credentials) {
      const key = credentialsKey(credentials);
      const known = accounts.get(key);
      accounts.delete(key);
      await known?.pool.close();
    },
    async close() {
      const open = [...accounts.values()];
      accounts.clear();
      await Promise.all(open.map(({ pool }) => pool.close()));
    },
  };
}
