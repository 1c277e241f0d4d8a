/** A tool call of the model; its arguments are the model's text, unchecked. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One message of the talk with the model. `result` answers the call with this id. */
export type ModelMessage =
  | { readonly role: "system" | "user" | "assistant"; readonly content: string }
  | { readonly role: "call"; readonly call: ModelCall }
  | { readonly role: "result"; readonly callId: string; readonly content: string };

/** A tool that the model may call: `parameters` is the JSON Schema of its arguments. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  /** The model must call one of them. */
  readonly tools: readonly ModelTool[];
  /** Has the answer streamed, and is called for each part of it. */
  readonly onPart?: (() => void) | undefined;
}

/** The model's reply: calls, or text in their place. */
export interface ModelReply {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** The model said that it will not answer. */
  readonly isRefused: boolean;
  /** Tokens of request and reply as the endpoint counts them; estimated where it does not. */
  readonly tokenCount: number;
}

/** A model: all that the assistant knows of it. */
export interface Model {
  readonly name: string;
  /**
   * Asks for one reply. Aborting `signal` ends the call at the endpoint too.
   * @throws {ApiError} ASSISTANT_MODEL_FAILED, ASSISTANT_MODEL_SLOW
   */
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}
