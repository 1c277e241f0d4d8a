/** A tool call of the model. Its arguments are unchecked text from the model. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One message of the conversation with the model. `result` answers the call with this id. */
export type ModelMessage =
  | { readonly role: "system" | "user" | "assistant"; readonly content: string }
  | { readonly role: "call"; readonly call: ModelCall }
  | { readonly role: "result"; readonly callId: string; readonly content: string };

/** A tool that the model may call. `parameters` is the JSON Schema of its arguments. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  /** The tools. The model must call one of them. */
  readonly tools: readonly ModelTool[];
  /** Streams the reply and is called for each part of it. Absent: the reply arrives whole. */
  readonly onPart?: (() => void) | undefined;
}

/** The model's reply: calls, or text instead. */
export interface ModelReply {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** Whether the model declined to answer. */
  readonly isRefused: boolean;
  /** Tokens of request and reply as counted by the endpoint, or else estimated. */
  readonly tokenCount: number;
}

/** A model: all that the assistant knows about it. */
export interface Model {
  readonly name: string;
  /**
   * Requests one reply. Aborting `signal` also cancels the call at the endpoint.
   * @throws {ApiError} ASSISTANT_MODEL_FAILED, ASSISTANT_MODEL_SLOW
   */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}
