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
}

/** Reads what an item offers its readers. Links other than http and https have no effect. */
export function interactivity({ type, options }: ChartItem, localeId: string): Interactivity {
  const { exportTypes, customTooltip, urlConfig } = objectOf<
    "exportTypes" | "customTooltip" | "urlConfig"
  >(options.interactivity);
  // A page can forbid frames, so readers can open it on its own. Browsers do not report that it did.
  const isPage = type === "iframeobject";
  const { target, url } = objectOf<"target" | "url">(isPage ? { url: options.url } : urlConfig);
  const address = URL.parse(localizedText(url, localeId).trim());
  const isWeb = address?.protocol === "https:" || address?.protocol === "http:";
  const named = target === "_self" || target === "_parent" ? target : "_blank";
  return {
    exportTypes: Array.isArray(exportTypes)
      ? listOf(exportTypes).map((type) => String(type).replace(/-raw$/, ""))
      : undefined,
    tooltip: localizedText(customTooltip, localeId).trim(),
    link: isWeb ? { url: address.href, target: named } : undefined,
  };
}
