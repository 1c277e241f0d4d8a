import { fetchItem, filtersOf, readItem } from "../../../../../core/web/charts/index.ts";
import {
  planBoard,
  readBoardProfile,
  storedContents,
  type BoardPlan,
  type BoardProfile,
} from "../../../../../core/web/console/firstBoard/index.ts";
import { objectOf } from "../../../../../core/web/charts/index.ts";
import { openUploader, type Uploader } from "../../../sources/data/uploads/openUploader.ts";

/** A board that was planned for a stored dataset, with the rows of each chart. */
export interface DrawnBoard {
  readonly profile: BoardProfile;
  readonly plan: BoardPlan;
  /** Title, type and number of rows of each item without the controls, in order. */
  readonly charts: readonly {
    readonly title: string;
    readonly type: string;
    readonly rows: readonly (readonly unknown[])[];
  }[];
}

/** A host that stores files and plans boards for them. */
export interface BoardShapes {
  readonly uploader: Uploader;
  /** Stores a file as a dataset, plans its board and fetches every chart. Fails if a chart cannot be fetched. */
  draw(file: Blob | string, name: string, nowMs?: number): Promise<DrawnBoard>;
  close(): Promise<void>;
}

/** Calls an action, and fails unless the host answers with 200. */
export type CallAction = <Answer>(
  resource: string,
  action: string,
  members?: object,
) => Promise<Answer>;

/** Plans the board of a stored dataset and fetches every chart. Fails if a chart cannot be fetched. */
export async function drawBoard(call: CallAction, id: string, nowMs?: number): Promise<DrawnBoard> {
  const api = {
    call,
    get: async <Row>(resource: string, find: object = {}) =>
      call<{ readonly count: number; readonly rows: readonly Row[] }>(resource, "get", { find }),
  };
  const read = await readBoardProfile(api, id, nowMs);
  if (!read) throw new Error(`${id} was not found`);
  const plan = planBoard(read.profile);
  const contents = objectOf<"views">(storedContents(plan));
  const [view] = [contents.views].flat();
  const stored = objectOf<"items">(view);
  const charts: DrawnBoard["charts"][number][] = [];
  for (const each of [stored.items].flat()) {
    const item = readItem(each);
    if (item.type.endsWith("-filter")) continue;
    const { where } = filtersOf({ contents, view: objectOf(view) }, item);
    const fetched = await fetchItem(item, { where, timezoneId: "UTC" }, async (queries) => {
      const answered = await call<object | readonly object[]>("data", "get", {
        find: { queries },
      });
      return [answered].flat().map((answer) => {
        const { data, error } = objectOf<"data" | "error">(answer);
        const { message } = objectOf<"message">(error);
        return {
          rows: JSON.parse(JSON.stringify(data ?? [])),
          ...(error !== undefined && { failure: new Error(String(message)) }),
        };
      });
    });
    const title = String(objectOf<"en">(item.options["title"]).en);
    charts.push({ title, type: item.type, rows: fetched?.rows ?? [] });
  }
  return { profile: read.profile, plan, charts };
}

/** Opens a host for boards. */
export async function openBoardShapes(): Promise<BoardShapes> {
  const uploader = await openUploader();
  const call: CallAction = async (resource, action, members = {}) => {
    const { status, body } = await uploader.call(resource, { action, ...members });
    if (status !== 200) throw new Error(`${resource} ${action}: ${body.message}`);
    return JSON.parse(JSON.stringify(body));
  };
  return {
    uploader,
    async draw(file, name, nowMs) {
      const { id } = await uploader.create(file, name);
      return drawBoard(call, id, nowMs);
    },
    close: () => uploader.host.close(),
  };
}
