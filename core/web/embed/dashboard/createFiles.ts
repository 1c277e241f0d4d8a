import {
  interactivity,
  localizedText,
  queryOf,
  readColumns,
  retryImport,
  titleOf,
  type ChartItem,
} from "../../charts/index.ts";
import { fileTypesOf, type AlertSubject, type MenuOptions } from "../menu/index.ts";
import type { FilesOptions } from "./filesOptions.ts";
import { messageOf } from "./messageOf.ts";

/** The files of a dashboard and its items, which contain what the reader sees, and the menus that offer them. */
export interface Files {
  /** Creates a file of an item; without an id, of the dashboard. */
  create(type: string, itemId: string | undefined): Promise<Blob>;
  /** Returns what the menu of an item offers; without an id, the menu of the dashboard. */
  menuFor(itemId: string | undefined): MenuOptions;
}

const loadFile = retryImport(() => import("./createFile.ts"));
const loadExplanation = retryImport(() => import("./explainRows.ts"));

/** Creates the files and menus of a dashboard. They call its host with the rights of the page's token. */
export function createFiles(options: FilesOptions): Files {
  const { callHost, signal, dashboardId, isStored, items, look, readerRegion, emit } = options;

  async function create(type: string, itemId: string | undefined): Promise<Blob> {
    const { createFile } = await loadFile();
    const file = await createFile(type, itemId, options);
    emit("export", { type, file, ...(itemId !== undefined && { itemId }) });
    return file;
  }

  async function createAlert(itemId: string, given: object): Promise<void> {
    const properties = { ...given, ...(isStored && { securable_id: dashboardId }) };
    const { id } = await callHost("alert", { action: "create", properties }, { signal });
    emit("alert", { itemId, alertId: String(id) });
  }

  /** Reports a failure to the page, unless the dashboard was closed. */
  async function reported<Value>(work: Promise<Value>, itemId: string | undefined): Promise<Value> {
    try {
      return await work;
    } catch (failure) {
      if (!signal.aborted) options.onFailure(failure, itemId);
      throw failure;
    }
  }

  function titleFor(itemId: string | undefined): string {
    const region = readerRegion();
    if (itemId === undefined) return localizedText(options.shown().name, region.localeId);
    const item = items.get(itemId)?.item;
    return item
      ? titleOf(item, readColumns({ fields: item.fields, ...region }), region.localeId)
      : "";
  }

  function alertOn(itemId: string): AlertSubject | undefined {
    const { email } = look.now().reader;
    const item = items.get(itemId)?.item;
    const query = item && queryOf(item)?.query;
    // Alerts watch groups, and items of single rows have none.
    const hasGroups = (query?.measures ?? []).length > 0 && query?.options?.rollup_data !== false;
    if (!item || email === undefined || !hasGroups) return undefined;
    return {
      item,
      filters: options.filtersFor(itemId),
      state: isStored ? options.state() : undefined,
      timezoneId: readerRegion().timezoneId,
      email,
      create: (given) => reported(createAlert(itemId, given), itemId),
    };
  }

  async function whichRows(itemId: string, item: ChartItem): Promise<readonly string[]> {
    const { explainRows } = await loadExplanation();
    const filters = options.filtersFor(itemId);
    return explainRows({ item, isEmpty: false, filters, callHost, signal, ...readerRegion() });
  }

  return {
    create,
    menuFor: (itemId) => ({
      isNamed: itemId === undefined,
      localeId: () => readerRegion().localeId,
      title: () => titleFor(itemId),
      types() {
        const open = itemId === undefined ? undefined : items.get(itemId);
        if (!look.now().reader.canExport || open?.control) return [];
        const hasRows = open !== undefined && queryOf(open.item) !== undefined;
        const { exportTypes } = open
          ? interactivity(open.item, readerRegion().localeId)
          : { exportTypes: undefined };
        const subject = { isDashboard: itemId === undefined, isStored, hasRows };
        return fileTypesOf({ ...subject, ...(exportTypes && { named: exportTypes }) });
      },
      create: (type) => reported(create(type, itemId), itemId),
      alert: () =>
        itemId === undefined || items.get(itemId)?.control ? undefined : alertOn(itemId),
      rows() {
        const open = itemId === undefined ? undefined : items.get(itemId);
        if (itemId === undefined || !open || open.control || !queryOf(open.item)) return undefined;
        return () => reported(whichRows(itemId, open.item), itemId);
      },
      explain: (failure) => messageOf(failure, readerRegion().localeId),
      onFailure: (failure) => options.onFailure(failure, itemId),
    }),
  };
}
