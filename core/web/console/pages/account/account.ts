/** A second factor of the reader, as the host returns it. */
export interface Factor {
  readonly id: string;
  readonly type: "app" | "passkey";
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** The reader's account, as the host returns it. */
export interface Overview {
  readonly factors: readonly Factor[];
  readonly recovery_code_count: number;
  readonly has_password: boolean;
  readonly is_fresh: boolean;
  readonly must_add: boolean;
  readonly offers_passkeys: boolean;
}

/** A new second factor, with recovery codes if it is the reader's first factor. */
export interface Added {
  readonly id: string;
  readonly recovery_codes: readonly string[] | null;
}

/** A place where the reader is signed in: a session of a browser, or the key pair of a program. */
export interface Session {
  readonly id: string;
  readonly way: string;
  readonly device: string | null;
  readonly address: string | null;
  readonly begun_at: string;
  readonly last_used_at: string;
  readonly current: boolean;
}

/** A past attempt to sign in as the reader, and how it ended. */
export interface SignInTried {
  readonly at: string;
  readonly outcome: "succeeded" | "failed";
  readonly ways: readonly string[];
  readonly address: string | null;
}
