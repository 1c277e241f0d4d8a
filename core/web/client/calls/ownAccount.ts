// Written by `npm run calls` from the declarations.
/** Steps that people take on their own account, by the path below `/auth/account/`. */
export interface OwnAccountCalls {
  readonly overview: {
    readonly members: {};
    readonly answer: {
      readonly factors: ReadonlyArray<{
        readonly id: string;
        readonly type: "app" | "passkey";
        readonly name: string;
        readonly created_at: string;
        readonly last_used_at: string | null;
      }>;
      readonly recovery_code_count: number;
      readonly has_password: boolean;
      /** signed in within ten minutes */
      readonly is_fresh: boolean;
      /** the organization demands a second factor */
      readonly is_demanded: boolean;
      readonly must_add: boolean;
      readonly offers_passkeys: boolean;
    };
  };
  readonly "app/begin": {
    readonly members: {};
    readonly answer: {
      readonly secret: string;
      /** for a QR code */
      readonly uri: string;
      readonly ticket: string;
    };
  };
  readonly "app/add": {
    readonly members: {
      /** as begin answers; it holds for 10 minutes */
      readonly ticket: string;
      readonly code: string;
      readonly name?: string | undefined;
    };
    readonly answer: { readonly id: string; readonly recovery_codes: readonly string[] | null };
  };
  readonly "passkey/begin": {
    readonly members: {};
    readonly answer: {
      readonly ticket: string;
      /** what navigator.credentials.create takes */
      readonly options: Readonly<Record<string, unknown>>;
    };
  };
  readonly "passkey/add": {
    readonly members: {
      /** as begin answers; it holds for 10 minutes */
      readonly ticket: string;
      /** the answer of navigator.credentials.create */
      readonly passkey: Readonly<Record<string, unknown>>;
      readonly name?: string | undefined;
    };
    readonly answer: { readonly id: string; readonly recovery_codes: readonly string[] | null };
  };
  readonly "factors/remove": {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: 200 };
  };
  readonly "recovery-codes": {
    readonly members: {};
    readonly answer: {
      /** shown this once */
      readonly recovery_codes: readonly string[];
    };
  };
  readonly sessions: {
    readonly members: {};
    readonly answer: {
      readonly rows: ReadonlyArray<{
        readonly id: string;
        readonly way: "password" | "app" | "recovery_code" | "passkey" | "sign_on" | "key_pair";
        readonly device: string | null;
        readonly address: string | null;
        readonly begun_at: string;
        readonly last_used_at: string;
        readonly ends_at: string;
        readonly current: boolean;
      }>;
    };
  };
  readonly "sessions/end": {
    readonly members: {
      readonly id?: string | undefined;
      /** all but the session that calls; in the place of id */
      readonly others?: true | undefined;
    };
    readonly answer: { readonly count: number };
  };
  readonly history: {
    readonly members: { readonly user_id?: string | undefined };
    readonly answer: {
      readonly rows: ReadonlyArray<{
        readonly at: string;
        readonly outcome: "succeeded" | "failed";
        readonly ways: readonly string[];
        readonly address: string | null;
      }>;
    };
  };
}
