// Written by `npm run calls` from the declarations.
/** A record of aimessageasset, as it is answered. */
export interface Aimessageasset {
  readonly id: string;
  readonly type?: "item" | "dataset" | "text";
  readonly value?: Readonly<Record<string, unknown>> | null;
  readonly message_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of aimessageasset. */
export interface AimessageassetCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly type: "item" | "dataset" | "text";
        readonly value?: Readonly<Record<string, unknown>> | null | undefined;
        readonly message_id: string;
      };
      /** made with the record, all or nothing; roles: aiMessage */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Aimessageasset;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /** members: id, type, value, message_id, created_at, updated_at */
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
    readonly answer: { readonly count: number; readonly rows: readonly Aimessageasset[] };
  };
  readonly delete: {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: 200 };
  };
  readonly validate: {
    readonly members: {
      /** an update of this record; absent: a create */
      readonly id?: string | undefined;
      readonly properties: Readonly<Record<string, unknown>>;
    };
    readonly answer: { readonly valid: boolean; readonly type?: string; readonly message?: string };
  };
}
