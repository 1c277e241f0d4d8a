import { localized } from "../language/index.ts";
import type { Api } from "../api/index.ts";
import { planBoard } from "./planBoard.ts";
import { mostColumns, readBoardProfile } from "./readBoardProfile.ts";
import { storedContents } from "./storedContents.ts";
import { words } from "./words.ts";

/** A dashboard that was made, and what the reader should know about it. */
export interface MadeBoard {
  readonly id: string;
  readonly notice: string;
}

/**
 * Makes a dashboard from the shape of a dataset and stores it as a dashboard of the reader.
 * @throws {Error} if the dataset has no rows, or the reader does not see it
 */
export async function makeBoard(api: Api, datasetId: string): Promise<MadeBoard> {
  const read = await readBoardProfile(api, datasetId);
  const plan = read && planBoard(read.profile);
  if (!read || !plan || plan.items.length === 0) throw new Error(words.noRows);
  const { profile, columnCount } = read;
  const properties = {
    type: "dashboard",
    name: localized(words.boardName(profile.name)),
    contents: storedContents(plan),
  };
  const { id } = await api.create<{ readonly id: string }>("securable", properties);
  const charts = plan.items.filter(({ type }) => !type.endsWith("-filter"));
  const cut = columnCount > mostColumns ? ` ${words.cut(mostColumns, columnCount)}` : "";
  return { id, notice: `${words.made(charts.length)}${cut}` };
}
