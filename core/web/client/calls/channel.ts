// Written by `npm run calls` from the declarations.
/** A record of channel, as it is answered. */
export interface Channel {
  readonly id: string;
  readonly name?: string | Readonly<Record<string, string>> | null;
  readonly type?: "email" | "slack" | "sms" | "teams" | "webhook";
  readonly config?: Readonly<Record<string, unknown>> | null;
  readonly disabled_reason?: string | null;
  readonly failures?: number;
  readonly paused_until?: string | null;
  readonly unsubscribed?: readonly string[];
  readonly user_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of channel. */
export interface ChannelCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly name?: string | Readonly<Record<string, string>> | null | undefined;
        readonly type: "email" | "slack" | "sms" | "teams" | "webhook";
        readonly config?: Readonly<Record<string, unknown>> | null | undefined;
      };
      /** made with the record, all or nothing; roles: Users, Organizations, Alerts, Owner */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Channel;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /**
         * members: id, name, type, config, disabled_reason, failures, paused_until,
         * unsubscribed, user_id, created_at, updated_at
         */
        readonly where?: Readonly<Record<string, unknown>> | undefined;
        readonly search?: { readonly keyphrase: string; readonly match_types?: readonly string[] | undefined } | undefined;
        readonly attributes?: readonly string[] | undefined;
        readonly include?: ReadonlyArray<string | {
          readonly model: string;
          /** the role, where several have the model */
          readonly as?: string | undefined;
          readonly attributes?: readonly string[] | undefined;
          readonly where?: Readonly<Record<string, unknown>> | undefined;
          readonly order?: readonly unknown[] | undefined;
          readonly include?: readonly unknown[] | undefined;
          readonly jointype?: "inner" | "left" | undefined;
        }> | undefined;
        readonly order?: readonly unknown[] | undefined;
        readonly limit?: number | undefined;
        readonly offset?: number | undefined;
      } | undefined;
    };
    readonly answer: { readonly count: number; readonly rows: readonly Channel[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly name?: string | Readonly<Record<string, string>> | null | undefined;
        readonly type?: "email" | "slack" | "sms" | "teams" | "webhook" | undefined;
        readonly config?: Readonly<Record<string, unknown>> | null | undefined;
      };
    };
    readonly answer: Channel;
  };
  readonly delete: {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /** roles: Users, Organizations, Alerts, Owner */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Channel & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /** roles: Users, Organizations, Alerts, Owner */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Channel & { readonly code: 200 };
  };
  readonly validate: {
    readonly members: {
      /** an update of this record; absent: a create */
      readonly id?: string | undefined;
      readonly properties: Readonly<Record<string, unknown>>;
    };
    readonly answer: { readonly valid: boolean; readonly type?: string; readonly message?: string };
  };
  readonly test: {
    readonly members: { readonly id: string };
    readonly answer: {
      readonly results: ReadonlyArray<{
        readonly recipient: string | null;
        /** delivered, accepted, unsubscribed or failed */
        readonly outcome: string;
        readonly problem: string | null;
      }>;
    };
  };
}
