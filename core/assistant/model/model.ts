/** A tool call that the model requests. The arguments are unvalidated text written by the model. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A message of the conversation with the model. `result` answers the tool call with the same id. */
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
  /** The tools of the request. The model must call one of them. */
  readonly tools: readonly ModelTool[];
  /**
   * If present, the reply is streamed, and this function is called for each part. Absent: the reply arrives in one
   * piece.
   */
  readonly onPart?: (() => void) | undefined;
}

/** The model's reply: tool calls, or text if the model called no tool. */
export interface ModelReply {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** Whether the model declined to answer. */
  readonly isRefused: boolean;
  /**
   * Number of tokens in request and reply, as counted by the endpoint, or estimated if the endpoint does not count
   * them.
   */
  readonly tokenCount: number;
}

/** The interface through which the assistant uses a model. */
export interface Model {
  readonly name: string;
  /**
   * Sends a request and returns the model's reply. Aborting `signal` also cancels the call at the endpoint.
   * @throws {ApiError} ASSISTANT_MODEL_FAILED, ASSISTANT_MODEL_SLOW
   */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}
