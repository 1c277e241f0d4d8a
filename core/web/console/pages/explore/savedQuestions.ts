import { searchOf, type Api } from "../../api/index.ts";
import { readQuestion, writeQuestion, type Question } from "../../questions/index.ts";
import { exploreAddress } from "./exploreAddress.ts";

/** A question about a dataset, saved under a name. */
export interface SavedQuestion {
  readonly id: string;
  readonly name: string;
  readonly question: unknown;
  readonly shared: boolean;
  readonly securable_id: string;
  readonly user_id: string;
  readonly updated_at: string;
  readonly securable?: { readonly id: string; readonly name: unknown } | null;
}

/** Saved questions, and how many there are in all. */
export interface SavedQuestions {
  readonly count: number;
  readonly rows: readonly SavedQuestion[];
}

/** Maximum number of questions in a list. */
const mostListed = 200;
const attributes = ["id", "name", "question", "shared", "securable_id", "user_id", "updated_at"];

/** Fetches the saved questions that the reader can use, sorted by name: of one dataset, or those that match a text. */
export async function readSavedQuestions(
  api: Api,
  {
    datasetId,
    id,
    search = "",
  }: {
    readonly datasetId?: string;
    readonly id?: string;
    readonly search?: string;
  },
  signal?: AbortSignal,
): Promise<SavedQuestions> {
  const find = {
    where: { ...(datasetId && { securable_id: datasetId }), ...(id && { id }) },
    ...searchOf(search),
    attributes,
    include: [{ model: "Securable", attributes: ["id", "name"] }],
    order: [["name", "asc"]],
    limit: mostListed,
  };
  return api.get<SavedQuestion>("savedquestion", find, { signal });
}

/** Returns a question in the form in which the host stores it. */
export const storedForm = (question: Question): unknown => JSON.parse(JSON.stringify(question));

/** Returns a stored question in the form of addresses. */
export const writeSaved = ({ question }: SavedQuestion): string =>
  writeQuestion(readQuestion(JSON.stringify(question)));

/** Returns the address at which Explore opens a saved question. */
export const addressOfSaved = (saved: SavedQuestion, dashboardId = ""): string =>
  exploreAddress({
    datasetId: saved.securable_id,
    question: writeSaved(saved),
    savedId: saved.id,
    dashboardId,
  });
