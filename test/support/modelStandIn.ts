import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Json = Readonly<Record<string, unknown>>;

/** A chat completions request that the stand-in received. */
export interface TakenRequest {
  readonly authorization: string;
  readonly text: string;
  readonly model: string;
  readonly isStreamed: boolean;
  readonly messages: readonly Json[];
  readonly tools: readonly { readonly name: string; readonly parameters: Json }[];
}

/** Called before each part of a streamed reply. The next part is sent when the promise resolves. */
type Pace = () => Promise<unknown>;

/** The stand-in's response to one request. */
export type Reply =
  | {
      readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
      readonly pace?: Pace;
    }
  | { readonly text: string; readonly pace?: Pace }
  | { readonly refusal: string }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Replies with these raw bytes. If `isCut` is true, the connection is then closed. */
  | { readonly raw: string; readonly isCut?: boolean }
  /** Replies with a tool call whose arguments have this many bytes. */
  | { readonly hugeBytes: number }
  /** Repeats a string as fast as the client reads, until the client disconnects. */
  | { readonly endless: string }
  /** Sends nothing until the client disconnects. */
  | { readonly isSilent: true };

export type Script = (request: TakenRequest, index: number) => Reply;

/** A scripted model on loopback that serves chat completions, streamed or not. */
export interface ModelStandIn {
  readonly url: string;
  readonly requests: TakenRequest[];
  /** The number of calls whose client disconnected before the response was complete. */
  readonly left: { count: number };
  /** The number of calls in progress. */
  readonly open: { count: number };
  /** Uses a script for all further requests. The first of these requests has the number 0. */
  play(script: Script): void;
  close(): Promise<void>;
}

export async function openModelStandIn(first: Script = dutiful): Promise<ModelStandIn> {
  const requests: TakenRequest[] = [];
  const left = { count: 0 };
  const open = { count: 0 };
  let script = first;
  let index = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const taken = takenOf(request.headers.authorization, Buffer.concat(parts).toString());
      requests.push(taken);
      open.count++;
      response.on("close", () => {
        open.count--;
        if (!response.writableEnded) left.count++;
      });
      send(script(taken, index++), taken, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    left,
    open,
    play(next) {
      script = next;
      index = 0;
      requests.length = 0;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function takenOf(authorization: string | undefined, text: string): TakenRequest {
  const body = JSON.parse(text) as Json;
  const tools = (body["tools"] ?? []) as readonly {
    readonly function: TakenRequest["tools"][number];
  }[];
  return {
    authorization: authorization ?? "",
    text,
    model: String(body["model"]),
    isStreamed: body["stream"] === true,
    messages: body["messages"] as readonly Json[],
    tools: tools.map((tool) => tool.function),
  };
}

function send(reply: Reply, { isStreamed }: TakenRequest, response: ServerResponse): void {
  if ("isSilent" in reply) return;
  if ("status" in reply) {
    response.writeHead(reply.status, reply.headers).end('{"error": {"message": "a secret text"}}');
    return;
  }
  const type = isStreamed ? "text/event-stream" : "application/json";
  response.writeHead(200, { "Content-Type": type });
  if ("raw" in reply) {
    response.write(reply.raw, () => (reply.isCut ? response.destroy() : response.end()));
    return;
  }
  if ("endless" in reply) {
    const pour = () => {
      while (!response.destroyed && response.write(reply.endless));
    };
    response.on("drain", pour);
    pour();
    return;
  }
  const message = messageOf(reply);
  const usage = { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 };
  if (!isStreamed) {
    response.end(JSON.stringify({ choices: [{ message, finish_reason: "stop" }], usage }));
    return;
  }
  const finish = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  const events = [
    ...[...deltasOf(message)].map((delta) => ({ choices: [{ index: 0, delta }] })),
    finish,
    { choices: [], usage },
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`);
  const last = "data: [DONE]\n\n";
  if ("pace" in reply && reply.pace) {
    sendPaced([...events, last], reply.pace, response).catch((failure: unknown) => {
      response.destroy(failure instanceof Error ? failure : new Error(String(failure)));
    });
    return;
  }
  for (const event of events) response.write(event);
  response.end(last);
}

/** Sends events one after another until the client disconnects. */
async function sendPaced(
  events: readonly string[],
  pace: Pace,
  response: ServerResponse,
): Promise<void> {
  for (const event of events) {
    await pace();
    if (response.destroyed) return;
    response.write(event);
  }
  response.end();
}

function messageOf(reply: Reply): Json {
  if ("text" in reply) return { role: "assistant", content: reply.text };
  if ("refusal" in reply) return { role: "assistant", content: null, refusal: reply.refusal };
  const calls =
    "calls" in reply
      ? reply.calls
      : [{ name: "huge", arguments: "x".repeat("hugeBytes" in reply ? reply.hugeBytes : 0) }];
  return {
    role: "assistant",
    content: null,
    tool_calls: calls.map(({ name, arguments: given }, place) => ({
      id: `call-${place}`,
      type: "function",
      function: { name, arguments: typeof given === "string" ? given : JSON.stringify(given) },
    })),
  };
}

/**
 * Splits a message into the deltas of a stream. Arguments are split after every 7 characters, even within names and
 * escape sequences.
 */
function* deltasOf(message: Json): Generator<Json> {
  if (typeof message["content"] === "string")
    for (const part of message["content"].match(/.{1,7}/gs) ?? []) yield { content: part };
  if (message["refusal"] !== undefined) yield { refusal: message["refusal"] };
  const calls = (message["tool_calls"] ?? []) as readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  for (const [index, { id, function: called }] of calls.entries()) {
    yield { tool_calls: [{ index, id, function: { name: called.name, arguments: "" } }] };
    for (const part of called.arguments.match(/.{1,7}/gs) ?? [])
      yield { tool_calls: [{ index, function: { arguments: part } }] };
  }
}

/**
 * A script that calls the first tool with the smallest arguments that the tool's schema allows. If the tool writes an
 * expression, the script's expression counts the first column that the request names.
 */
export const dutiful: Script = ({ tools, text }) => {
  const [tool] = tools;
  const [column] = /\{[0-9a-f-]{36}:[0-9a-f-]{36}\}/.exec(text) ?? [];
  if (tool?.name === "write_expression") {
    const given = { expression: `count(${column})`, name: "Count", description: "Counts values." };
    return { calls: [{ name: tool.name, arguments: given }] };
  }
  return tool
    ? { calls: [{ name: tool.name, arguments: exampleOf(tool.parameters) }] }
    : { text: "Done." };
};

/**
 * A script that returns a description for every requested id. The description consists of the first characters of the
 * id, and the language.
 */
export const describes: Script = ({ tools }) => {
  const schema = tools[0]?.parameters as {
    properties: {
      descriptions: {
        items: { properties: { id: { enum: string[] }; description: { required: string[] } } };
      };
    };
  };
  const { id, description } = schema.properties.descriptions.items.properties;
  const texts = (each: string) =>
    Object.fromEntries(description.required.map((language) => [language, `${each} ${language}`]));
  const descriptions = id.enum.map((each) => ({ id: each, description: texts(each.slice(0, 8)) }));
  return { calls: [{ name: "describe", arguments: { descriptions } }] };
};

/** Returns the smallest value that a schema allows. It includes all required members. */
function exampleOf(schema: unknown): unknown {
  const { type, properties, required, items, ...given } = (schema ?? {}) as Json & {
    readonly properties?: Json;
    readonly required?: readonly string[];
  };
  const [first] = (given["enum"] ?? given["anyOf"] ?? []) as readonly unknown[];
  if (given["enum"]) return first;
  if (given["anyOf"]) return exampleOf(first);
  if (type === "object")
    return Object.fromEntries(
      (required ?? []).map((member) => [member, exampleOf(properties?.[member])]),
    );
  if (type === "array")
    return Array.from({ length: Number(given["minItems"] ?? 0) }, () => exampleOf(items));
  if (type === "integer" || type === "number") return given["minimum"] ?? 0;
  return type === "boolean" ? false : "a text";
}
