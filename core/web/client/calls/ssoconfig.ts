// Written by `npm run calls` from the declarations.
/** A record of ssoconfig, as it is answered. */
export interface Ssoconfig {
  readonly id: string;
  readonly name?: string | Readonly<Record<string, string>>;
  readonly type?: "saml" | "openid";
  readonly config?: Readonly<Record<string, unknown>> | null;
  readonly active?: boolean;
  readonly organization_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of ssoconfig. */
export interface SsoconfigCalls {
  readonly create: {
    readonly members: {
      readonly properties: {
        readonly name: string | Readonly<Record<string, string>>;
        readonly type: "saml" | "openid";
        readonly config?: Readonly<Record<string, unknown>> | null | undefined;
        readonly active?: boolean | undefined;
      };
      /** made with the record, all or nothing; roles: Organization */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Ssoconfig;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /** members: id, name, type, config, active, organization_id, created_at, updated_at */
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
    readonly answer: { readonly count: number; readonly rows: readonly Ssoconfig[] };
  };
  readonly update: {
    readonly members: {
      readonly id: string;
      readonly properties: {
        readonly name?: string | Readonly<Record<string, string>> | undefined;
        readonly type?: "saml" | "openid" | undefined;
        readonly config?: Readonly<Record<string, unknown>> | null | undefined;
        readonly active?: boolean | undefined;
      };
    };
    readonly answer: Ssoconfig;
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
  readonly explain: {
    readonly members: { readonly id: string };
    readonly answer: {
      readonly id: string;
      readonly sign_on_url: string;
      /** to be registered at the provider */
      readonly redirect_url: string;
      readonly scim_url: string;
      readonly user_count: number;
      readonly session_count: number;
      readonly provisioned_user_count: number;
      readonly provisioned_group_count: number;
    };
  };
  readonly test: {
    readonly members: { readonly id: string };
    readonly answer: {
      readonly id: string;
      readonly outcome: "passed" | "failed";
      readonly problems: readonly string[];
      readonly warnings: readonly string[];
      readonly authorization_endpoint: string | null;
      readonly token_endpoint: string | null;
      readonly userinfo_endpoint: string | null;
      readonly jwks_uri: string | null;
    };
  };
}
