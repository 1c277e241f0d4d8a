// Written by `npm run calls` from the declarations.
/** A record of thumbnail, as it is answered. */
export interface Thumbnail {
  readonly id: string;
  readonly size?: string;
  readonly url?: string;
  readonly user_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of thumbnail. */
export interface ThumbnailCalls {
  readonly create: {
    readonly members: {
      readonly properties: { readonly size: string; readonly url: string };
      /**
       * made with the record, all or nothing; roles: Plugins, Securables, Organizations, Users,
       * Owner
       */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Thumbnail;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /** members: id, size, url, user_id, created_at, updated_at */
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
    readonly answer: { readonly count: number; readonly rows: readonly Thumbnail[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: { readonly size?: string | undefined; readonly url?: string | undefined };
    };
    readonly answer: Thumbnail;
  };
  readonly delete: {
    readonly members: { readonly id: string };
    readonly answer: { readonly code: 200 };
  };
  readonly associate: {
    readonly members: {
      readonly id: string;
      /** roles: Plugins, Securables, Organizations, Users, Owner */
      readonly resource: { readonly role: string; readonly id: string };
      readonly properties?: Readonly<Record<string, unknown>> | undefined;
    };
    readonly answer: Thumbnail & { readonly code: 200 };
  };
  readonly dissociate: {
    readonly members: {
      readonly id: string;
      /** roles: Plugins, Securables, Organizations, Users, Owner */
      readonly resource: { readonly role: string; readonly id: string };
    };
    readonly answer: Thumbnail & { readonly code: 200 };
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
