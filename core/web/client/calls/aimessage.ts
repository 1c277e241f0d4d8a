// Written by `npm run calls` from the declarations.
/** A record of aimessage, as it is answered. */
export interface Aimessage {
  readonly id: string;
  readonly content?: Readonly<Record<string, unknown>>;
  readonly conversation_id?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly [included: string]: unknown;
}

/** The calls of aimessage. */
export interface AimessageCalls {
  readonly create: {
    readonly members: {
      readonly properties: { readonly content: Readonly<Record<string, unknown>>; readonly conversation_id: string };
      /** has a model answer the message */
      readonly options?: {
        /** datasets, or their ids */
        readonly available_datasets?: unknown;
        /** of one dataset or more */
        readonly dataset_id?: unknown;
        /** the item that the question is about */
        readonly chart?: unknown;
        /** false: the text is sent as one line */
        readonly stream?: unknown;
        /** without effect: the operator chooses the model */
        readonly model_preference?: unknown;
      } | undefined;
      /** instead of properties */
      readonly content?: unknown;
      /** instead of properties */
      readonly conversation_id?: unknown;
      /** made with the record, all or nothing; roles: aiConversation, aiMessageAssets */
      readonly associations?: ReadonlyArray<{
        readonly role: string;
        readonly id: string;
        readonly properties?: Readonly<Record<string, unknown>> | undefined;
      }> | undefined;
    };
    readonly answer: Aimessage;
  };
  readonly get: {
    readonly members: {
      readonly find?: {
        /** members: id, content, conversation_id, created_at, updated_at */
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
    readonly answer: { readonly count: number; readonly rows: readonly Aimessage[] };
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
