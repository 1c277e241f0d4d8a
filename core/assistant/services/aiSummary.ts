import { type ApiCall, ApiError, isObject, type Members, WrittenAnswer } from "../../base/index.ts";
import { answerRows } from "../answers/checkQuery.ts";
import { makeItem } from "../answers/makeItem.ts";
import { writeText } from "../answers/writeText.ts";
import type { AssistantParts } from "../assistantParts.ts";
import { auditStruck, type SentKind } from "../createCallModel.ts";
import { plainText } from "../meaning/words.ts";
import { localizedText } from "../../web/charts/index.ts";
import { datasetsOf, idsOf, localeOf, membersOf } from "./readRequest.ts";
import { textParts } from "./streamOutcomes.ts";

const titleLength = 200;

/**
 * Handles `aisummary`: runs a query with the caller's rights, and returns text about the answer. `properties`
 * contains `query` (or an item with a query), `dataset_id`, `title` and `locale_id`.
 * @throws {ApiError} MEMBER_MISSING; the errors of a query and of `CallModel`
 */
export async function aiSummary(call: ApiCall, parts: AssistantParts): Promise<unknown> {
  const members = membersOf<"item" | "locale_id" | "query" | "title">(call);
  const item = isObject<"query">(members.item) ? members.item : undefined;
  const query = members.query ?? item?.query;
  if (!isObject<"dimensions" | "measures">(query))
    throw new ApiError("MEMBER_MISSING", [
      "properties.query",
      "a query in the form of the data service",
    ]);
  const locale = localeOf(members.locale_id);
  const innermost = innermostOf(query);
  const named = [innermost.dimensions, innermost.measures].flat().filter(isObject<"dataset_id">);
  const ids = [...new Set(named.flatMap((each) => idsOf(each.dataset_id, "properties.query")))];
  const datasets = await datasetsOf(ids, call, parts, locale.localeId);
  const [answer] = [await parts.queries.answer(query, call.principal, call.signal)].flat();
  const rows = answer?.data ?? [];
  const data = rows.slice(0, answerRows);
  const given = localizedText(members.title, "en");
  const title = plainText(given === "" ? "The answer" : given, titleLength);
  const language = locale.localeId?.split("-")[0] ?? "en";
  const written = await writeText(
    {
      question: {
        text: "Summarize the answer.",
        datasets,
        resource: "aisummary",
        recordId: ids[0] ?? call.principal.userId,
        onPart: () => undefined,
        ...locale,
      },
      item: makeItem(query, "regular-table", title, language, datasets),
      data,
      isCut: rows.length > data.length,
      sent: new Set<SentKind>(["names"]),
    },
    call,
    parts,
  );
  const { text, struckCount } = written;
  const recordId = ids[0] ?? call.principal.userId;
  await auditStruck(struckCount, call, { resource: "aisummary", recordId }, parts);
  return new WrittenAnswer("text/plain", chunks(text), {
    "Cache-Control": "no-store",
    "X-Struck-Count": String(struckCount),
  });
}

/** Returns the query that reads datasets: the query itself, or the innermost query of `from`. */
function innermostOf(
  query: Members<"dimensions" | "from" | "measures">,
): Members<"dimensions" | "measures"> {
  const { from } = query;
  if (!isObject<"query">(from)) return query;
  const { query: inner } = from;
  return isObject<"dimensions" | "from" | "measures">(inner) ? innermostOf(inner) : query;
}

async function* chunks(text: string): AsyncGenerator<string> {
  yield* textParts(text);
}
