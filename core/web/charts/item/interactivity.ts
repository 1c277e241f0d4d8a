import { localizedText } from "../format/localizedText.ts";
import type { ChartItem } from "./item.ts";
import { listOf, objectOf } from "./readItem.ts";

/** A link that an item opens. */
export interface ItemLink {
  readonly url: string;
  readonly target: "_blank" | "_self" | "_parent";
}

/** What an item offers its readers, apart from its picture. */
export interface Interactivity {
  /** The types of files that the item offers; undefined for all. */
  readonly exportTypes: readonly string[] | undefined;
  /** A line of text in every tooltip; empty for none. */
  readonly tooltip: string;
  readonly link: ItemLink | undefined;
  /** The link of each mark, whose `url` contains the names of slots in braces. */
  readonly markLink: ItemLink | undefined;
  /** The events that readers can send to the page by choosing a mark. */
  readonly events: readonly MarkEvent[];
  /** Whether values of other columns accompany the events. */
  readonly hasExtraData: boolean;
}

/** An event that readers can send to the page by choosing a mark. */
export interface MarkEvent {
  readonly name: string;
  readonly label: string;
}

const mostEvents = 20;
const hasSlots = /\{[^{}]+\}/;
/** An address whose scheme and host are complete before the first slot, so that data cannot change the server. */
const hasFixedHost = /^https?:\/\/[^/?#{}\\\s@]+[/?#]/i;

/** Reads what an item offers its readers. Links other than http and https have no effect. */
export function interactivity({ type, options }: ChartItem, localeId: string): Interactivity {
  const { exportTypes, customTooltip, urlConfig, customEvents } = objectOf<
    "exportTypes" | "customTooltip" | "urlConfig" | "customEvents"
  >(options.interactivity);
  // A page can forbid frames, so readers can open it on its own. Browsers do not report that it did.
  const isPage = type === "iframeobject";
  const { target, url } = objectOf<"target" | "url">(isPage ? { url: options.url } : urlConfig);
  const given = localizedText(url, localeId).trim();
  const isOfMarks = hasSlots.test(given);
  const address = isOfMarks ? null : URL.parse(given);
  const isWeb = address?.protocol === "https:" || address?.protocol === "http:";
  const named = target === "_self" || target === "_parent" ? target : "_blank";
  return {
    exportTypes: Array.isArray(exportTypes)
      ? listOf(exportTypes).map((type) => String(type).replace(/-raw$/, ""))
      : undefined,
    tooltip: localizedText(customTooltip, localeId).trim(),
    link: isWeb ? { url: address.href, target: named } : undefined,
    markLink: isOfMarks && hasFixedHost.test(given) ? { url: given, target: named } : undefined,
    hasExtraData: listOf(objectOf<"extraData">(customEvents).extraData).length > 0,
    events: listOf(objectOf<"events">(customEvents).events)
      .slice(0, mostEvents)
      .flatMap((each): MarkEvent[] => {
        const event = objectOf<"name" | "label">(each);
        const label = localizedText(event.label, localeId).trim();
        const name = typeof event.name === "string" && event.name !== "" ? event.name : label;
        return name === "" ? [] : [{ name, label: label || name }];
      }),
  };
}
