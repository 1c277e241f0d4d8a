import { ApiFailure, isRecord } from "../../api/index.ts";

type Json = Readonly<Record<string, unknown>>;

/** An answer to show: its query, and the chart type in which it is shown. */
export interface ShownAnswer {
  readonly query: Json;
  /** The item type of the chart, such as `line-chart`; "" for a table. */
  readonly chart: string;
  readonly title: unknown;
  /** Address of the query in Explore; absent if the shelves cannot express the query. */
  readonly exploreUrl?: string | undefined;
}

/** The answer to one question, as far as it has arrived. */
export interface Reply {
  /** Id of the conversation; undefined until the host has stored the question and the answer. */
  readonly conversationId: string | undefined;
  readonly message: string;
  readonly choices: readonly string[];
  readonly struckCount: number;
  readonly answers: readonly (ShownAnswer & { readonly isCut: boolean })[];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Parses an answer from an address. Members of the wrong type count as missing, because anyone can write an address.
 */
export function readAnswer(text: string | null): ShownAnswer | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
  if (!isRecord(given) || !isRecord(given["query"])) return undefined;
  const { query, chart, title } = given;
  return { query: plainQuery(query), chart: textOf(chart), title };
}

/** The reply to a question before any event has arrived. */
export const noReply: Reply = {
  conversationId: undefined,
  message: "",
  choices: [],
  struckCount: 0,
  answers: [],
};

/**
 * Adds an event of a streamed `aiprompt` to the reply. The host has already removed unsupported numbers from the text.
 * @throws {ApiFailure} if the event reports a failure
 */
export function addEvent(reply: Reply, event: Json): Reply {
  const { type } = event;
  if (type === "asset_end") {
    const asset = isRecord(event["asset"]) ? event["asset"] : {};
    return { ...reply, answers: [...reply.answers, ...answersOf([asset])] };
  }
  if (type === "text_delta") return { ...reply, message: reply.message + textOf(event["text"]) };
  if (type === "error") {
    const error = isRecord(event["error"]) ? event["error"] : {};
    throw new ApiFailure(Number(error["code"] ?? 500), error);
  }
  if (type !== "finish") return reply;
  const message = isRecord(event["assistant_message"]) ? event["assistant_message"] : {};
  const assets = listOf(message["aiMessageAssets"]).filter(isRecord);
  return {
    conversationId: textOf(event["conversation_id"]) || undefined,
    message: textOf(message["message"]),
    choices: listOf(message["choices"]).map(textOf).filter(Boolean),
    struckCount: Number(message["struck_count"] ?? 0),
    // The reader may have edited a card that is already shown.
    answers: reply.answers.length > 0 ? reply.answers : answersOf(assets),
  };
}

function answersOf(assets: readonly Json[]): Reply["answers"] {
  return assets.flatMap(({ value }) => {
    if (!isRecord(value) || !isRecord(value["query"])) return [];
    const options = isRecord(value["options"]) ? value["options"] : {};
    return [
      {
        query: plainQuery(value["query"]),
        chart: textOf(value["type"]),
        title: options["title"],
        exploreUrl: exploreUrlOf(value["open_url"]),
        isCut: value["is_cut"] === true,
      },
    ];
  });
}

/** Returns the path of Explore from an address of the host; undefined for any other address. */
function exploreUrlOf(value: unknown): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const { pathname, search } = new URL(value);
  const place = pathname.lastIndexOf("/explore/");
  return place < 0 ? undefined : pathname.slice(place) + search;
}

/** Returns the query without the options for the format of cells. These options are set when the query is run. */
function plainQuery(query: unknown): Json {
  const { options, ...clauses } = isRecord(query) ? query : {};
  if (!isRecord(options)) return clauses;
  const { cells: _, ...others } = options;
  return Object.keys(others).length === 0 ? clauses : { ...clauses, options: others };
}
