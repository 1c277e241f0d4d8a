import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Readonly<Record<string, unknown>>;

/** A recorded reply of the model. Ids of the catalog are replaced with names in double braces. */
export type RecordedReply =
  | { readonly calls: readonly { readonly name: string; readonly arguments: unknown }[] }
  | { readonly text: string }
  | { readonly refusal: string }
  | { readonly status: number };

/** The replies to one question, and the number of tokens that they used. */
export interface Passed {
  readonly replies: readonly RecordedReply[];
  /** Number of model calls that offered a query as a possible reply. */
  readonly queryCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Forwards calls to a model, and records replies and tokens. */
export interface Relay {
  readonly url: string;
  /** Returns the replies and tokens since the previous call of `take`. */
  take(): Passed;
  close(): Promise<void>;
}

const nothing = { replies: [], queryCalls: 0, promptTokens: 0, completionTokens: 0 };

/** Opens a relay on loopback in front of the endpoint at `url`. The relay does not stream replies. */
export async function openRelay(url: string): Promise<Relay> {
  let passed: Passed = nothing;
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    const answer = await fetch(`${url.replace(/\/+$/, "")}${request.url?.replace(/^\/v1/, "")}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(request.headers.authorization !== undefined && {
          Authorization: request.headers.authorization,
        }),
      },
      body,
    });
    const text = await answer.text();
    passed = noted(passed, JSON.parse(body) as Json, answer.status, text);
    const retryAfter = answer.headers.get("retry-after");
    response
      .writeHead(answer.status, {
        "Content-Type": "application/json",
        ...(retryAfter !== null && { "Retry-After": retryAfter }),
      })
      .end(text);
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    take() {
      const taken = passed;
      passed = nothing;
      return taken;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

interface Completion {
  readonly choices?: readonly {
    readonly message?: {
      readonly content?: string | null;
      readonly refusal?: string | null;
      readonly tool_calls?: readonly {
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
    };
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number };
}

function noted(passed: Passed, request: Json, status: number, text: string): Passed {
  const tools = (request["tools"] ?? []) as readonly { readonly function: { name: string } }[];
  const isQuery = tools.some((tool) => tool.function.name === "answer");
  const { choices, usage } = parsed(text) as Completion;
  const { content, refusal, tool_calls: calls } = choices?.[0]?.message ?? {};
  const reply: RecordedReply =
    status !== 200
      ? { status }
      : calls && calls.length > 0
        ? {
            calls: calls.map(({ function: called }) => ({
              name: called.name,
              arguments: parsed(called.arguments),
            })),
          }
        : refusal
          ? { refusal }
          : { text: content ?? "" };
  return {
    replies: [...passed.replies, reply],
    queryCalls: passed.queryCalls + (isQuery && status === 200 ? 1 : 0),
    promptTokens: passed.promptTokens + (usage?.prompt_tokens ?? 0),
    completionTokens: passed.completionTokens + (usage?.completion_tokens ?? 0),
  };
}

/** Parses JSON; returns the text unchanged if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
